from games.rules.registry import RulesApp


class SuperpionApp(RulesApp):
    name = "games.rules.superpion"
    label = "rules_superpion"
    rules_class = "Superpion"
    program_class = "SuperpionProgram"
    demo_turns = 40
