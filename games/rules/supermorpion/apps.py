from games.rules.registry import RulesApp


class SuperMorpionApp(RulesApp):
    name = "games.rules.supermorpion"
    label = "rules_supermorpion"
    rules_class = "SuperMorpion"
    demo_turns = 16
