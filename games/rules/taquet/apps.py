from games.rules.registry import RulesApp


class TaquetApp(RulesApp):
    name = "games.rules.taquet"
    label = "rules_taquet"
    rules_class = "Taquet"
    demo_turns = 6
