/** Request targets as nobody's browser sends them, over a socket that changes nothing. */
import { connect } from "node:net";

/** Ways to write `/members/1`, or what some router takes for it, or for a page below `/members`. */
export const TARGETS: readonly string[] = [
  ...["", "/", "/1", "/1/", "//", "/1/2/3", "/?x=/open", "/1?x=1#y", "?", "#x", "/#/../../open"].map((end) =>
    `/members${end}`
  ),
  // Dots, and what stands for them.
  ...[".", "..", "%2e", "%2E", "%2e%2e", ".%2e", "%2E.", "..;", ".;x", "%2e%2e;x", "..%00", "%252e%252e"].flatMap(
    (dots) => [`/members/${dots}/x`, `/members/1/${dots}/${dots}/x`, `/members/${dots}`, `/open/${dots}/members/1`],
  ),
  // Slashes, and what stands for them.
  ...["%2f", "%2F", "%5c", "\\", "%252f", "//", "/./", "/%2e/", "%ef%bc%8f", "／", "%c0%af", ";/", "/;/", "/;x/"]
    .flatMap((slash) => [
      `/members${slash}1`,
      `${slash}members/1`,
      `/${slash}members${slash}1`,
      `/open${slash}..${slash}members/1`,
      `/members${slash}..${slash}x`,
    ]),
  // Letters.
  ...["MEMBERS", "Members", "%6dembers", "%6D%65%6D%62%65%72%73", "%4dEMBERS", "m%65mber%73", "%256dembers", "ｍembers"]
    .flatMap((word) => [`/${word}`, `/${word}/1`, `/${word}/../x`]),
  ...["member%C5%BF", "memberſ", "members%20", "%20members", "members%00", "members%09", "members.", "members.html"]
    .map((word) => `/${word}/1`),
  // Parameters.
  ...["/members;x", "/members;x/1", "/members;/1", "/;x/members/1", "/members;x=/../../open", "/members%3bx/1"],
  ...["/members/1;jsessionid=1", "/open;/../members/1", "/open;x?/../members/1"],
  // Other forms of targets (RFC 9112, section 3.2), and what looks like them.
  ...["http://localhost/members/1", "http://localhost/open/../members/1", "http://localhost/members/../x"],
  ...["HTTP://localhost/members/1", "http://localhost//members/1", "http://localhost\\members/1"],
  ...["//localhost/members/1", "//members/1", "///members/1", "//x/../members/1", "//localhost/members/../x"],
  ...["http://localhost@/members/1", "*", "members/1", "/members/1 x", "/?/members/1", "/#/members/1"],
  // Mounted.
  ...["/app/members", "/app/members/1", "/APP/members/1", "/app//members/1", "/app/%6dembers/1", "/app/members/../x"],
  ...["/app/../members/1", "/app/x/../members/1", "/app%2fmembers/1", "//app/members/1"],
  // Data of pages.
  ...["/members.data", "/members/1.data", "/members/__data.json", "/members.rsc", "/members/_payload.json"],
];

/** What a server sends back, status line and headers included, until it closes the connection or is silent for long. */
export function ask(port: number, target: string, method = "GET"): Promise<string> {
  const absolute = target.replace(/(?<=\/\/)localhost(?=[/\\])/, `localhost:${port}`);
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "localhost" });
    let text = "";
    socket.setEncoding("utf8").setTimeout(5000, () => socket.destroy());
    socket.on("data", (part) => text += part);
    socket.once("close", () => resolve(text));
    socket.once("error", (error) => text === "" ? reject(error) : resolve(text));
    const head = [
      `${method} ${absolute} HTTP/1.1`,
      `Host: localhost:${port}`,
      "Accept: text/html",
      "Connection: close",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`, "utf8");
  });
}
