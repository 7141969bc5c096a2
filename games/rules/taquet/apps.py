from games.rules.registry import RulesApp


class TaquetApp(RulesApp):
    name = "games.rules.taquet"
    label = "rules_taquet"
    rules_class = "Taquet"
    program_class = "TaquetProgram"
    demo_turns = 6
    # The first player wins by the piece that is nobody's.
    example_game = ("a1", "c3", "c1", "Tb1", "a1-a2", "Tb2", "b3", "a3", "c1-c2", "c1", "Tb3")
