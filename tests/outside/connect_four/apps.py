from games.rules.registry import RulesApp


class ConnectFourApp(RulesApp):
    name = "connect_four"
    rules_class = "ConnectFour"
    demo_turns = 8
