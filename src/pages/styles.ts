/**
 * The style sheet of the built-in pages. Its properties are logical, so it serves both directions of writing.
 *
 * It contains no `"`, `&` or `<`: a page escapes them, and browsers do not unescape style blocks.
 *
 * @module
 */

const LIGHT = `color-scheme:light;
--canvas:#f5f6f8;--share:12%;--surface:#fff;--ink:#14171f;--quiet:#565d6d;--line:#e3e6eb;--edge:#868e9f;--focus:#2643b8;
--alert-ink:#8f1d1d;--alert-back:#fdf1f0;--alert-line:#f0c6c2;
--lift:0 1px 2px rgb(20 23 31/.05),0 16px 40px rgb(20 23 31/.07);--touch:0 1px 2px rgb(20 23 31/.06)`;

const DARK = `color-scheme:dark;
--canvas:#0e1014;--share:26%;--surface:#191c23;--ink:#f1f3f7;--quiet:#a6adbc;--line:#2c313c;--edge:#727b8e;--focus:#a9b9ff;
--alert-ink:#ffc9c4;--alert-back:#371a1b;--alert-line:#693030;
--lift:0 1px 2px rgb(0 0 0/.4),0 16px 40px rgb(0 0 0/.35);--touch:0 1px 2px rgb(0 0 0/.3)`;

const FRAME = `
body{--tint:var(--canvas);--tint-ink:var(--ink);--rim:var(--edge)}
@supports (color:color-mix(in srgb,red,red)){body{--tint:color-mix(in srgb,var(--brand-color,#3553cf) var(--share),var(--surface));
--tint-ink:color-mix(in srgb,var(--brand-color,#3553cf) 50%,var(--ink));--rim:color-mix(in srgb,currentcolor 24%,transparent)}}
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--canvas);color:var(--ink);
font:400 1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',sans-serif;
-webkit-font-smoothing:antialiased;-moz-osx-font-smoothing:grayscale}
.page{display:grid;place-items:center;min-height:100vh;min-height:100svh;padding:24px 16px}
.card{width:100%;max-width:416px;min-width:0;padding:40px;background:var(--surface);border:1px solid var(--line);
border-radius:16px;box-shadow:var(--lift);overflow-wrap:anywhere}
.logo{display:block;width:auto;height:auto;max-width:min(200px,100%);max-height:48px;margin:0 auto 24px}
.icon{display:block;flex:none;fill:none;stroke:currentcolor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.emblem{display:grid;place-items:center;width:52px;height:52px;margin:0 auto 20px;border-radius:50%;
color:var(--tint-ink);background:var(--tint)}
.emblem .icon{width:26px;height:26px}
h1{margin:0;font-size:1.375rem;font-weight:600;line-height:1.3;letter-spacing:-.012em;text-align:center;text-wrap:balance}
:lang(ar) h1,:lang(he) h1,:lang(hi) h1,:lang(ja) h1,:lang(ko) h1,:lang(zh) h1{letter-spacing:0}
p{margin:0}
.lead{margin-top:8px;color:var(--quiet);font-size:.9375rem;text-align:center;text-wrap:balance}
.who{color:var(--ink);font-weight:500}
.alert{display:flex;gap:10px;padding:11px 14px;color:var(--alert-ink);background:var(--alert-back);
border:1px solid var(--alert-line);border-radius:8px;font-size:.875rem;line-height:1.45;text-wrap:pretty}
h1~.alert{margin-top:24px}
.alert .icon{width:20px;height:20px}
.actions{display:grid;gap:16px;margin-top:28px;text-align:center}
.pair{gap:10px}
a{color:inherit;text-decoration-color:var(--rim);text-decoration-thickness:1px;text-underline-offset:4px}
.site{justify-self:center;padding:4px 6px;border-radius:6px;font-size:.875rem;font-weight:500;color:var(--quiet)}
.site:hover{color:var(--ink)}
`;

/**
 * The initial before the text of a button has an empty alternative text, or screen readers would read it. Browsers without
 * support for that show no initial.
 */
const FORMS = `
.methods{display:grid;gap:10px;margin-top:28px}
.methods:empty{display:none}
[hidden]{display:none!important}
form,fieldset{display:grid;gap:16px;min-width:0;margin:0;padding:0;border:0}
.plain,.plain fieldset{gap:10px}
.note,.hint{font-size:.875rem;line-height:1.45;color:var(--quiet);text-wrap:pretty}
.note{text-align:center}
.note:empty{position:absolute}
.field{display:grid;gap:6px;min-width:0}
.field.tick{grid-template-columns:auto 1fr;align-items:center;gap:10px}
.field:has(.beside){grid-template-columns:1fr auto;column-gap:12px}
.field:has(.beside)>.secret{grid-column:1/-1}
.beside{grid-area:1/2;align-self:end;margin:-4px -6px}
.field:has(.beside)>label{grid-area:1/1;align-self:end}
.secret{display:grid;min-width:0}
.secret>*{grid-area:1/1}
.secret>input:not(:last-child){padding-inline-end:48px}
.secret>input:not(:last-child)::-ms-reveal{display:none}
.secret>button{place-self:center end;display:grid;place-items:center;width:36px;height:36px;margin-inline-end:4px;padding:0;
color:var(--quiet);background:none;border:0;border-radius:6px;font:inherit;cursor:pointer}
.secret>button:hover{color:var(--ink)}
.secret>button>span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.secret>button .icon{width:20px;height:20px}
.secret>[aria-pressed=false] path+path{display:none}
label{font-size:.875rem;font-weight:500;line-height:1.4}
.tick label{padding:4px 0;font-weight:400}
input{font:inherit;color:inherit;accent-color:var(--brand-color,#3553cf)}
.field:not(.tick) input{width:100%;min-width:0;min-height:44px;padding:9px 12px;background:transparent;
border:1px solid var(--edge);border-radius:8px}
.field:not(.tick) input:user-invalid,.field:not(.tick) input[aria-invalid]{border-color:var(--alert-ink)}
.field:not(.tick) input[readonly]{color:var(--quiet);background:var(--canvas);border-color:var(--line)}
.field input::placeholder{color:var(--quiet);opacity:1}
.tick input{order:-1;width:24px;height:24px;margin:0}
.button{position:relative;display:flex;align-items:center;gap:10px;width:100%;min-height:44px;padding:8px 14px;
color:var(--provider-text-color,var(--ink));background-color:var(--provider-brand-color,var(--surface));
border:1px solid var(--provider-border-color,var(--rim));border-radius:8px;box-shadow:var(--touch);
font-family:inherit;font-size:.9375rem;font-weight:500;line-height:1.4;text-align:center;text-decoration:none;cursor:pointer}
.button.primary{color:var(--provider-text-color,var(--button-text-color,#fff));
background-color:var(--provider-brand-color,var(--brand-color,#3553cf));border-color:rgb(127 127 127/.25)}
.button.quiet{min-height:40px;color:var(--quiet);background-color:transparent;border-color:transparent;box-shadow:none}
.button.quiet:hover{color:var(--ink)}
.button.danger{color:var(--alert-ink);border-color:var(--alert-line);box-shadow:none}
.done{padding:10px 14px;border:1px solid var(--line);border-radius:8px;background:var(--tint);font-size:.875rem;
line-height:1.45;text-align:center;margin-bottom:6px}
.removal{margin-top:14px;padding-top:14px;border-top:1px solid var(--line)}
.name{flex:1 1 auto;min-width:0;text-wrap:balance}
.button:has(picture,.mark)::after,[data-initial]::after{content:'';flex:0 999 20px}
.button img,.mark{display:block;flex:none;width:20px;height:20px;object-fit:contain}
.fixed .mark{padding:1px}
[data-initial]::before{content:attr(data-initial) / '';display:grid;place-items:center;flex:none;width:20px;height:20px;
border:1px solid var(--rim);border-radius:5px;font-size:.75rem;font-weight:650;line-height:1}
.neutral .plain .mark,.neutral [data-initial]::before{color:var(--mark-color,currentcolor);
background:var(--mark-back,transparent);border-radius:5px}
.neutral .plain :not(.fixed)>picture{background:var(--mark-back,transparent);border-radius:4px;
box-shadow:0 0 0 2px var(--mark-back,transparent)}
.neutral [data-initial]::before{border-color:var(--mark-back,var(--rim))}
.last{position:absolute;inset-block-start:-9px;inset-inline-end:10px;padding:0 7px;border:1px solid var(--line);
border-radius:9px;background:var(--surface);color:var(--quiet);font-size:.6875rem;font-weight:500;line-height:16px;
overflow-wrap:normal;white-space:nowrap}
.button:hover{background-image:linear-gradient(rgb(127 127 127/.1) 0 0)}
.button:active{background-image:linear-gradient(rgb(127 127 127/.2) 0 0)}
hr{position:relative;width:100%;height:1px;margin:14px 0;border:0;background:var(--line);color:var(--quiet);overflow:visible}
hr::after{content:attr(data-text);position:absolute;top:0;left:50%;padding:0 12px;background:var(--surface);
font-size:.8125rem;line-height:1;white-space:nowrap;transform:translate(-50%,-55%)}
.challenge{display:grid;gap:16px;min-width:0}
.widget{display:grid;justify-content:center}
h2{margin:0;font-size:.9375rem;font-weight:600;line-height:1.4}
ul,dl,dd{margin:0;padding:0;list-style:none}
.ways{display:grid;gap:8px;margin-top:28px;text-align:center}
.ways h2{font-size:.875rem;font-weight:500;color:var(--quiet)}
.ways .site{display:inline-block;color:var(--ink)}
.code{font-variant-numeric:tabular-nums;letter-spacing:.08em}
code{font:500 1rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;user-select:all}
.qr{display:block;width:min(100%,240px);margin:24px auto 0;background:#fff;border-radius:8px;fill:#000;shape-rendering:crispedges;
forced-color-adjust:none}
.key{margin-top:16px;text-align:center;text-wrap:balance}
.key dt{font-size:.875rem;color:var(--quiet)}
.codes{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,176px),1fr));gap:4px 16px;margin-top:24px;padding:16px;
border:1px solid var(--line);border-radius:8px;text-align:center;user-select:all}
ul.factors>li{display:grid;gap:4px;padding:16px 0;border-top:1px solid var(--line)}
ul.factors{margin-top:24px;border-bottom:1px solid var(--line)}
ul.factors .site,summary{justify-self:start;margin-inline-start:-6px;padding:4px 6px;font-size:.875rem;font-weight:500;color:var(--quiet);cursor:pointer}
details form{padding:8px 0 12px}
progress{width:100%;height:6px;accent-color:var(--brand-color,#3553cf)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.field:not(.tick) input:focus-visible{outline-offset:-1px;outline-width:2px;border-color:var(--focus)}
`;

/**
 * Many buttons are a list of names with a badge each, in columns where the screen is wide: so many coloured buttons would
 * be hard to read. Buttons whose look is fixed keep it.
 */
const MANY = `
.many .methods{gap:8px}
.many .fields,.many hr,.many .alone{grid-column:1/-1}
.many .fields,.many .alone{justify-self:center;width:min(100%,400px)}
.many .plain>.button{min-height:44px;padding:6px 12px;line-height:1.3;text-align:start}
.many .plain>.button::after{content:none}
.many .plain>:not(.fixed){color:var(--ink);background-color:var(--surface);border-color:var(--rim)}
.many.brand .plain>.button{padding:6px 10px}
.many.brand .plain :not(.fixed)>picture,.many.brand .plain :not(.fixed)>.mark,.many.brand [data-initial]::before{
width:32px;height:32px;padding:5px;border:1px solid var(--provider-border-color,var(--rim));border-radius:7px;
color:var(--provider-text-color,var(--tint-ink));background:var(--provider-brand-color,var(--tint))}
.many.brand [data-initial]::before{font-size:.875rem}
.many.brand .fixed>picture,.many.brand .fixed>.mark{margin:0 6px}
.many .plain :not(.fixed)>.name>.with{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
white-space:nowrap}
`;

const MEDIA = `
@media (max-width:519px){body:has(.card){background:var(--surface)}.page{place-items:start center;padding:40px 20px}
.card{padding:0;border-color:transparent;border-radius:0;box-shadow:none}}
@media (min-width:520px){.page{padding:48px 24px}.many{max-width:824px}
.many .methods{grid-template-columns:repeat(auto-fill,minmax(min(100%,196px),1fr));gap:10px}}
@media (prefers-reduced-motion:no-preference){.field input{transition:border-color .12s}}
@media print{form,.actions,.logo{display:none}.card{border:0;box-shadow:none}body,.card{color:#000;background:#fff}
.codes li{break-inside:avoid}}
@media (prefers-contrast:more){body{--quiet:var(--ink);--line:var(--edge);--alert-line:currentcolor}}
@media (forced-colors:active){.button,.card,.alert,.last{border-color:CanvasText}.emblem{border:1px solid CanvasText}
.mark{forced-color-adjust:auto}
hr{background:CanvasText}
:focus-visible,.field:not(.tick) input:focus-visible{outline-color:Highlight}}
`;

/** The style sheet, the same for every site. A theme changes `--brand-color` and the like. */
export const BASE_CSS: string = [
  `body{${LIGHT}}body.__next-auth-theme-dark{${DARK}}`,
  `@media (prefers-color-scheme:dark){body.__next-auth-theme-auto{${DARK}}}`,
  ...[FRAME, FORMS, MANY, MEDIA],
].join("").replaceAll("\n", "");
