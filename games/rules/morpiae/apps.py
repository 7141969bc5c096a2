from games.rules.registry import RulesApp


class MorpiaeApp(RulesApp):
    name = "games.rules.morpiae"
    label = "rules_morpiae"
    rules_class = "Morpiae"
    program_class = "MorpiaeProgram"
    demo_turns = 18
