/**
 * The style sheet of the account page, which follows that of every page. Others do not carry it.
 *
 * As in `styles.ts`, its properties are logical, and it contains no `"`, `&` or `<`.
 *
 * @module
 */

/**
 * A card with sections one below the other; where there is room, the heading of each stands beside it. A line is between two
 * facts, and not before one that begins a line: there it is cut off.
 */
const OVERVIEW = `
.page:has(.account){place-items:start center}
.account{max-width:776px;padding-block:36px 28px}
.account .logo{margin-inline:0}
.account h1{text-align:start}
.account>.done,.account>.alert,.leaving{margin:0 0 24px}
.account>.done{text-align:start}
.owner{display:flex;align-items:center;gap:16px;padding-bottom:28px}
.owner>div{min-width:0}
.owner p{color:var(--quiet);font-size:.9375rem}
.owner .who{color:var(--ink)}
.portrait,.tile{display:grid;place-items:center;flex:none;overflow:hidden;color:var(--tint-ink);background:var(--tint)}
.portrait{width:64px;height:64px;border-radius:50%;font-size:1.5rem;font-weight:600}
.portrait img{display:block;width:100%;height:100%;object-fit:cover}
.tile{width:36px;height:36px;border-radius:9px;font-size:.9375rem;font-weight:600}
.tile .icon{width:20px;height:20px}
.tile.own-look{color:var(--ink);background:var(--surface);border:1px solid var(--line)}
.account .mark{color:var(--mark-color,currentcolor);background:var(--mark-back,transparent);border-radius:4px}
.tile picture,.account .button picture{background:var(--mark-back,transparent);border-radius:4px;box-shadow:0 0 0 2px var(--mark-back,transparent)}
.tile img{display:block;width:20px;height:20px;object-fit:contain}
.account .button::after{content:none}
.portrait::before,.tile::before{width:auto;height:auto;border:0;font-size:inherit;font-weight:inherit}
.portrait::after,.tile::after{content:none}
.part{display:grid;gap:12px;padding:24px 0;border-top:1px solid var(--line)}
.body{display:grid;gap:16px;min-width:0}
.rows{display:grid}
.rows>li{padding:14px 0;border-top:1px solid var(--line)}
.rows>li:first-child{padding-top:0;border-top:0}
.rows>li:last-child{padding-bottom:0}
.row,.beside-tile{display:flex;align-items:flex-start;gap:10px 14px;min-width:0}
.beside-tile{flex:1;flex-wrap:wrap}
.what{display:grid;flex:1 1 10rem;gap:2px;min-width:0;padding-top:7px}
.what:has(.fact){flex-basis:11rem}
.tile+.beside-tile>.what:not(:has(.fact)){flex-basis:7rem}
.facts{display:flex;flex-wrap:wrap;overflow:hidden}
.fact{margin-inline:-9px 17px;padding-inline-start:8px;border-inline-start:1px solid var(--rim)}
.title{display:flex;flex-wrap:wrap;align-items:center;gap:4px 8px;font-size:.9375rem;font-weight:500}
.unset{color:var(--quiet);font-weight:400}
.badge{padding:0 8px;border:1px solid var(--line);border-radius:10px;color:var(--quiet);font-size:.75rem;font-weight:500;
line-height:1.5}
.badge.good{color:var(--tint-ink);background:var(--tint);border-color:transparent}
.does{display:flex;flex-wrap:wrap;gap:8px;min-width:0}
.account .does .button,.leaving .button{width:auto;min-height:36px;padding:5px 12px;font-size:.875rem;box-shadow:none}
.waiting,.leaving{display:grid;gap:12px;padding:14px;border:1px solid var(--line);border-radius:8px;background:var(--tint);
font-size:.875rem}
.leaving{color:var(--alert-ink);background:var(--alert-back);border-color:var(--alert-line);justify-items:start}
.account .waiting .button{background-color:var(--surface)}
.account>.actions{display:flex;flex-wrap:wrap;justify-content:space-between;margin:0 -6px;padding-top:24px}
.account>.actions::before{content:'';flex:0 0 calc(100% - 12px);margin:-24px 6px 0;border-top:1px solid var(--line)}
`;

/** Fields and buttons of an application have the look of ours, whatever is around them. */
const OWN = `
.own{display:grid;gap:14px;min-width:0;padding-top:7px}
.own .button{justify-self:start;width:auto;min-height:36px;padding:5px 12px;font-size:.875rem;box-shadow:none}
.own select,.own textarea{width:100%;min-height:44px;padding:9px 12px;color:inherit;background:transparent;
border:1px solid var(--edge);border-radius:8px;font:inherit}
`;

const STEPS = `
.account-step .pair,.lost{gap:4px}
.lost{display:grid}
.lost .hint{padding-inline-start:34px}
.button.solid{color:#fff;background-color:#c0322a;border-color:transparent}
`;

const MEDIA = `
@media (max-width:519px){.account{padding-block:0}}
@media (min-width:640px){.part{grid-template-columns:minmax(0,10.5rem) minmax(0,1fr);gap:28px}.part>h2{padding-top:7px}}
@media (forced-colors:active){.badge,.tile,.portrait,.waiting,.leaving{border:1px solid CanvasText}}
`;

/** The style sheet. */
export const ACCOUNT_CSS: string = [OVERVIEW, OWN, STEPS, MEDIA].join("").replaceAll("\n", "");
