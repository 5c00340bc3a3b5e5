/**
 * The names of colours that browsers know.
 *
 * @module
 * @see {@link https://www.w3.org/TR/css-color-4/#named-colors | CSS Color Module Level 4, section 6.1}
 */

/** The names, and the words for colours of the system, in lower case. */
export const COLOR_NAMES: ReadonlySet<string> = new Set([
  ..."aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown".split(" "),
  ..."burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue".split(" "),
  ..."darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange".split(" "),
  ..."darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise".split(" "),
  ..."darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia".split(" "),
  ..."gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo".split(" "),
  ..."ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan".split(" "),
  ..."lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue".split(" "),
  ..."lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon".split(" "),
  ..."mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue".split(" "),
  ..."mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin".split(" "),
  ..."navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen".split(" "),
  ..."paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red".split(" "),
  ..."rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue".split(" "),
  ..."slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white".split(" "),
  ..."whitesmoke yellow yellowgreen".split(" "),
  ..."transparent currentcolor accentcolor accentcolortext activetext buttonborder buttonface buttontext".split(" "),
  ..."canvas canvastext field fieldtext graytext highlight highlighttext linktext mark marktext".split(" "),
  ..."selecteditem selecteditemtext visitedtext".split(" "),
]);
