/**
 * What the environment says that may be meant in another way.
 *
 * @module
 */
import { describeValue } from "../kernel/objects.ts";
import { isPadded } from "./padded.ts";
import { type ConfigFacts, isUsualPath } from "./read_config.ts";
import type { Warning } from "./warning.ts";

/** Lists the warnings about variables, and about secrets, which mostly come from one. */
export function envWarnings({ config, env, secrets }: ConfigFacts): readonly Warning[] {
  const warnings: Warning[] = [];
  if (env.mended) warnings.push(["env-url-mended", env.mended]);
  if (env.basePath && config.basePath === undefined && !isUsualPath(env.basePath)) {
    const path = describeValue(env.basePath);
    warnings.push([
      "env-url-path",
      `the environment variable AUTH_URL has the path ${path}, so the service answers below it, for example at ` +
      `${env.basePath}/signin: if that is not meant, remove the path; if it is, set \`basePath\` in its place`,
    ]);
  }
  if (config.trustHost === undefined && env.oddTrust !== undefined) {
    warnings.push([
      "env-trust-host",
      `the environment variable AUTH_TRUST_HOST is ${
        describeValue(env.oddTrust)
      }: it is read as true, so every host is ` +
      "trusted; write true, or remove it and set AUTH_URL to the URL of this site",
    ]);
  }
  if (secrets.some(isPadded)) {
    warnings.push([
      "value-padded",
      "`secret` (AUTH_SECRET) is surrounded by spaces, line breaks or quotes, which count as part of it: remove them, or " +
      "another program that reads it without them opens no session",
    ]);
  }
  return warnings;
}
