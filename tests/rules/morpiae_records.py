"""Records of Morpiae that several tests share, each as short as could be found."""

FIRST_COLOUR = (
    "o9-o13 o14-o18 i15-m15 n18-r14 l18-p18 o15-s15 l16-p12 o11-s15 l12-p16 l14-l18 l14-p18 n16-r12"
)
"""The last line is the fourth through o15, drawn by seat 1; seats 1, 1 and 0 drew the others."""

ONE_EACH = FIRST_COLOUR + " n9-r13 l14-p14 k15-o11"
"""Seat 0 has coloured a circle too."""

ONE_TO_THREE = FIRST_COLOUR + " l16-p16 l14-p14 m13-m17 k15-o11 i11-i15 k15-o19"
"""0-1, 1-1, 1-2 and at the end 1-3."""

TWO_AT_ONCE = (
    "n12-r12 h12-l12 i11-i15 i15-m15 h12-l16 i13-m9 o9-o13 n18-r14 l16-p12 l12-p16 k15-o11 i11-m15 "
    "k11-k15 j14-n14 i15-m11 i11-m11 j11-j15"
)
"""The circle on j13 colours j12 and j14 for seat 0, which has k15 already."""

FOUR_AT_ONCE = (
    "i12-m12 i12-i16 l14-l18 k18-o18 n15-r15 o14-o18 n18-r14 l9-l13 i13-m9 n9-r13 l11-p15 l15-p11 "
    "l13-p17 i14-m18 i16-m12 k12-k16 k18-o14 l16-p16 j12-n16 m12-m16 l12-p16 k15-o11 i14-m14 "
    "i15-m11 k11-o11 n10-n14 j13-n13"
)
"""The circle on j13 colours the four others of its line, the most there can be."""

TWO_WAYS = "i15-m15 o9-o13 n18-r14 l16-p12 i13-m9"
"""A circle on m13 completes k11-o15 or l12-p16."""

NO_LINE_LEFT = (
    "h12-l12 k9-o9 h15-l15 l15-l19 l9-l13 l19-p15 o8-o12 o15-s15 i11-i15 l18-p18 n9-r13 i14-m18 "
    "o14-o18 o11-s15 r12-r16 h12-l16 k12-o8 i13-m9 n18-r14 n12-r12"
)
"""Twenty lines and no more; nobody has a circle."""

WHOLE_GAME = (
    "o9-o13 n15-r15 n18-r14 i12-i16 i13-m9 r11-r15 k9-o9 n9-r13 o14-o18 o12-s12 i14-m18 "
    "h12-l12 k18-o18 i15-m15 l16-p12 n15-r11 l15-l19 h12-l16 l9-l13 k12-o16 l12-p16 l13-p13 "
    "o16-s12 p12-p16 n11-r15 o14-s14 l11-p11 i15-m11 k12-k16 m14-q10 j14-n14 l11-p15 k13-o17 "
    "k15-o11 m9-m13 n9-n13 k10-o10 n16-r12 k16-o16 n12-r16 l13-p9 q11-q15 l8-p12 o8-s12 "
    "i12-m16 m14-m18 j12-j16 h15-l11 n14-n18 k17-o17 h15-l19 h14-l18"
)
"""Played to the last line: 14 circles to 18."""
