from games.rules.registry import RulesApp


class MorpiaeApp(RulesApp):
    name = "games.rules.morpiae"
    label = "rules_morpiae"
    rules_class = "Morpiae"
    demo_turns = 18
