from games.rules.registry import RulesApp


class SuperMorpionApp(RulesApp):
    name = "games.rules.supermorpion"
    label = "rules_supermorpion"
    rules_class = "SuperMorpion"
    program_class = "SuperMorpionProgram"
    demo_turns = 16
