from games.rules.registry import RulesApp


class MorpionApp(RulesApp):
    name = "games.rules.morpion"
    label = "rules_morpion"
    rules_class = "Morpion"
    program_class = "MorpionProgram"
