/**
 * What stands before a server and speaks TLS, as a proxy does in production. It has two ports: one for browsers, and one that
 * demands a certificate of the client. It is a program of its own, because only Node demands certificates in every version.
 *
 * It reads `{ cert, key, ca, target }` from its first argument, and writes its ports.
 */
import { request as send } from "node:http";
import { createServer } from "node:https";

const { cert, key, ca, target } = JSON.parse(process.argv[2] ?? "{}");

function forward(request, response) {
  const { raw } = request.socket.getPeerCertificate?.() ?? {};
  const headers = {
    ...request.headers,
    "x-forwarded-proto": "https",
    "x-forwarded-host": request.headers.host,
    "x-client-certificate": raw ? raw.toString("base64") : "",
    "x-client-certificate-trusted": String(request.socket.authorized),
  };
  const { method, url: path } = request;
  const onwards = send({ host: "127.0.0.1", port: target, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onwards.on("error", () => response.destroy());
  request.pipe(onwards);
}

async function listen(options) {
  const server = createServer({ cert, key, ca, ...options }, forward);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server.address().port;
}

const open = await listen({});
// A client that signs its certificate itself is let in, and then known by its key.
const demanding = await listen({ requestCert: true, rejectUnauthorized: process.argv[3] !== "self-signed" });
process.stdout.write(`${JSON.stringify({ open, demanding })}\n`);
process.stdin.on("end", () => process.exit()).resume();
