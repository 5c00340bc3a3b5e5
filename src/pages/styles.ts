/**
 * The style sheet of the built-in pages.
 *
 * It contains no `"`, `&` or `<`: preact would escape them, and browsers do not unescape style blocks.
 *
 * @module
 */

const LIGHT = `color-scheme:light;
--canvas:#f3f4f6;--share:12%;--surface:#fff;--ink:#14171f;--quiet:#565d6d;--line:#e1e4ea;--edge:#868e9f;--focus:#2643b8;
--alert-ink:#8f1d1d;--alert-back:#fdf1f0;--alert-line:#f0c6c2;
--lift:0 1px 2px rgb(20 23 31/.05),0 12px 32px rgb(20 23 31/.07)`;

const DARK = `color-scheme:dark;
--canvas:#0e1014;--share:26%;--surface:#191c23;--ink:#f1f3f7;--quiet:#a6adbc;--line:#2c313c;--edge:#727b8e;--focus:#a9b9ff;
--alert-ink:#ffc9c4;--alert-back:#371a1b;--alert-line:#693030;
--lift:0 1px 2px rgb(0 0 0/.4),0 12px 32px rgb(0 0 0/.35)`;

const FRAME = `
body{--tint:var(--canvas);--tint-ink:var(--ink);--rim:var(--edge)}
@supports (color:color-mix(in srgb,red,red)){body{--tint:color-mix(in srgb,var(--brand-color,#3553cf) var(--share),var(--surface));
--tint-ink:color-mix(in srgb,var(--brand-color,#3553cf) 50%,var(--ink));--rim:color-mix(in srgb,currentcolor 26%,transparent)}}
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--canvas);color:var(--ink);
font:400 1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',sans-serif;
-webkit-font-smoothing:antialiased;-moz-osx-font-smoothing:grayscale}
.page{display:grid;place-items:center;min-height:100vh;min-height:100svh;padding:24px 16px}
.card{width:100%;max-width:400px;min-width:0;padding:32px 24px;background:var(--surface);border:1px solid var(--line);
border-radius:16px;box-shadow:var(--lift);overflow-wrap:anywhere}
.logo{display:block;width:auto;height:auto;max-width:min(200px,100%);max-height:56px;margin:0 auto 24px}
.icon{display:block;flex:none;fill:none;stroke:currentcolor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.emblem{display:grid;place-items:center;width:56px;height:56px;margin:0 auto 20px;border-radius:50%;
color:var(--tint-ink);background:var(--tint)}
.emblem .icon{width:28px;height:28px}
h1{margin:0;font-size:1.5rem;font-weight:650;line-height:1.25;letter-spacing:-.015em;text-align:center;text-wrap:balance}
p{margin:0}
.lead{margin-top:10px;color:var(--quiet);text-align:center;text-wrap:balance}
.who{color:var(--ink);font-weight:550}
.alert{display:flex;gap:10px;margin-top:24px;padding:12px 14px;color:var(--alert-ink);background:var(--alert-back);
border:1px solid var(--alert-line);border-radius:10px;font-size:.9375rem;line-height:1.45;text-wrap:pretty}
.alert .icon{width:20px;height:20px;margin-top:1px}
.actions{display:grid;gap:20px;margin-top:28px;text-align:center}
a{color:inherit;text-decoration-color:var(--brand-color,#5f7cf0);text-decoration-thickness:2px;text-underline-offset:4px}
.site{justify-self:center;padding:4px 6px;border-radius:6px;font-size:.9375rem;font-weight:550}
`;

/**
 * The initial before the text of a button has an empty alternative text, or screen readers would read it. Browsers without
 * support for that show no initial.
 */
const FORMS = `
.methods{display:grid;gap:12px;margin-top:28px}
.methods:empty{display:none}
[hidden]{display:none!important}
form,fieldset{display:grid;gap:18px;min-width:0;margin:0;padding:0;border:0}
.note{font-size:.9375rem;line-height:1.45;color:var(--quiet);text-align:center;text-wrap:pretty}
.note:empty{position:absolute}
.field{display:grid;gap:6px;min-width:0}
.field.tick{grid-template-columns:auto 1fr;align-items:center;gap:10px}
label{font-size:.875rem;font-weight:550;line-height:1.4}
.tick label{padding:4px 0;font-weight:400;font-size:.9375rem}
input{font:inherit;color:inherit;accent-color:var(--brand-color,#3553cf)}
.field:not(.tick) input{width:100%;min-width:0;min-height:46px;padding:10px 12px;background:transparent;
border:1px solid var(--edge);border-radius:10px}
.field:not(.tick) input:user-invalid{border-color:var(--alert-ink)}
.field input::placeholder{color:var(--quiet);opacity:1}
.tick input{order:-1;width:24px;height:24px;margin:0}
.button{display:flex;align-items:center;gap:12px;width:100%;min-height:48px;padding:10px 16px;
color:var(--provider-text-color,var(--ink));background-color:var(--provider-brand-color,var(--surface));
border:1px solid var(--provider-border-color,var(--rim));border-radius:10px;
font-family:inherit;font-size:1rem;font-weight:550;line-height:1.4;text-align:center;text-decoration:none;cursor:pointer}
.button.primary{color:var(--provider-text-color,var(--button-text-color,#fff));
background-color:var(--provider-brand-color,var(--brand-color,#3553cf));border-color:transparent;
box-shadow:inset 0 0 0 1px rgb(127 127 127/.25)}
.name{flex:1 1 auto;min-width:0;text-wrap:balance}
.button:has(picture,.mark)::after,[data-initial]::after{content:'';flex:0 999 20px}
.button img,.mark{display:block;flex:none;width:20px;height:20px;object-fit:contain}
.fixed .mark{padding:1px}
[data-initial]::before{content:attr(data-initial) / '';display:grid;place-items:center;flex:none;width:20px;height:20px;
border:1px solid var(--rim);border-radius:5px;font-size:.75rem;font-weight:650;line-height:1}
.button:hover{background-image:linear-gradient(rgb(127 127 127/.12) 0 0)}
.button:active{background-image:linear-gradient(rgb(127 127 127/.24) 0 0)}
hr{position:relative;width:100%;height:1px;margin:16px 0;border:0;background:var(--line);color:var(--quiet);overflow:visible}
hr::after{content:'or';position:absolute;top:0;left:50%;padding:0 12px;background:var(--surface);font-size:.875rem;
line-height:1;transform:translate(-50%,-55%)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.field:not(.tick) input:focus-visible{outline-offset:-1px;outline-width:2px;border-color:var(--focus)}
`;

/**
 * Many buttons are a list of names with a badge each, in columns where the screen is wide: so many coloured buttons would
 * be hard to read. Buttons whose look is fixed keep it.
 */
const MANY = `
.many .methods{gap:8px}
.many .fields,.many hr{grid-column:1/-1}
.many .fields{justify-self:center;width:min(100%,400px)}
.many .plain>.button{min-height:46px;padding:6px 10px;gap:10px;font-size:.9375rem;line-height:1.3;text-align:start}
.many .plain>.button::after{content:none}
.many .plain>:not(.fixed){color:var(--ink);background-color:var(--surface);border-color:var(--rim)}
.many .plain :not(.fixed)>picture,.many .plain :not(.fixed)>.mark,.many [data-initial]::before{
width:32px;height:32px;padding:5px;border:1px solid var(--provider-border-color,var(--rim));border-radius:7px;
color:var(--provider-text-color,var(--tint-ink));background:var(--provider-brand-color,var(--tint))}
.many [data-initial]::before{font-size:.875rem}
.many .fixed>picture,.many .fixed>.mark{margin:0 6px}
.many .plain :not(.fixed)>.name>.with{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
white-space:nowrap}
`;

const MEDIA = `
@media (max-width:519px){.many{padding:32px 16px}}
@media (min-width:520px){.page{padding:48px 24px}.card{padding:40px}.many{max-width:824px}
.many .methods{grid-template-columns:repeat(auto-fill,minmax(min(100%,196px),1fr));gap:10px}}
@media (prefers-reduced-motion:no-preference){.field input{transition:border-color .12s}}
@media (prefers-contrast:more){body{--quiet:var(--ink);--line:var(--edge);--alert-line:currentcolor}}
@media (forced-colors:active){.button,.card,.alert{border-color:CanvasText}.emblem{border:1px solid CanvasText}
.mark{forced-color-adjust:auto}
hr{background:CanvasText}:focus-visible,.field:not(.tick) input:focus-visible{outline-color:Highlight}}
`;

/** The style sheet, the same for every site. A theme changes `--brand-color` and the like. */
export const BASE_CSS: string = [
  `body{${LIGHT}}body.__next-auth-theme-dark{${DARK}}`,
  `@media (prefers-color-scheme:dark){body.__next-auth-theme-auto{${DARK}}}`,
  ...[FRAME, FORMS, MANY, MEDIA],
].join("").replaceAll("\n", "");
