import type { Mutant } from "./_mutant.ts";
import { accessTokens } from "./access_tokens.ts";
import { accountEmail } from "./account_email.ts";
import { account } from "./account.ts";
import { accountPasskeys } from "./account_passkeys.ts";
import { accountProof } from "./account_proof.ts";
import { adapters } from "./adapters.ts";
import { answers } from "./answers.ts";
import { bindings } from "./bindings.ts";
import { bound } from "./bound.ts";
import { buckets } from "./buckets.ts";
import { catalogue } from "./catalogue.ts";
import { challenges } from "./challenges.ts";
import { client } from "./client.ts";
import { clientNames } from "./client_names.ts";
import { config } from "./config.ts";
import { cookies } from "./cookies.ts";
import { csrf } from "./csrf.ts";
import { dangerous } from "./dangerous.ts";
import { secondFactors } from "./second_factors.ts";
import { databases } from "./databases.ts";
import { doctor } from "./doctor.ts";
import { email } from "./email.ts";
import { fapi2 } from "./fapi2.ts";
import { features } from "./features.ts";
import { limits } from "./limits.ts";
import { endedSessions } from "./ended_sessions.ts";
import { events } from "./events.ts";
import { flows } from "./flows.ts";
import { front } from "./front.ts";
import { guard } from "./guard.ts";
import { harness } from "./harness.ts";
import { idTokens } from "./id_tokens.ts";
import { interop } from "./interop.ts";
import { kv } from "./kv.ts";
import { linking } from "./linking.ts";
import { logout } from "./logout.ts";
import { mailServices } from "./mail_services.ts";
import { migration } from "./migration.ts";
import { mistakes } from "./mistakes.ts";
import { moreVendors } from "./more_vendors.ts";
import { mysql } from "./mysql.ts";
import { node } from "./node.ts";
import { outbound } from "./outbound.ts";
import { pages } from "./pages.ts";
import { passwordFlows } from "./password_flows.ts";
import { passwordPages } from "./password_pages.ts";
import { passwordSignIn } from "./password_sign_in.ts";
import { passwords } from "./passwords.ts";
import { places } from "./places.ts";
import { records } from "./records.ts";
import { redirects } from "./redirects.ts";
import { release } from "./release.ts";
import { requests } from "./requests.ts";
import { secondFactorChallenge } from "./second_factor_challenge.ts";
import { secondFactorWays } from "./second_factor_ways.ts";
import { sessions } from "./sessions.ts";
import { sessionsApart } from "./sessions_apart.ts";
import { signIn } from "./sign_in.ts";
import { raised } from "./raised.ts";
import { stepUp } from "./step_up.ts";
import { storage } from "./storage.ts";
import { takeover } from "./takeover.ts";
import { tokens } from "./tokens.ts";
import { vendors } from "./vendors.ts";
import { testing } from "./testing.ts";
import { webauthn } from "./webauthn.ts";

export type { Mutant } from "./_mutant.ts";

/** Every flaw that some test must see. */
export const MUTANTS: readonly Mutant[] = [
  ...redirects,
  ...csrf,
  ...cookies,
  ...tokens,
  ...catalogue,
  ...vendors,
  ...moreVendors,
  ...accessTokens,
  ...account,
  ...flows,
  ...idTokens,
  ...interop,
  ...front,
  ...bindings,
  ...bound,
  ...fapi2,
  ...features,
  ...raised,
  ...limits,
  ...outbound,
  ...secondFactorChallenge,
  ...secondFactorWays,
  ...sessions,
  ...sessionsApart,
  ...endedSessions,
  ...events,
  ...logout,
  ...mailServices,
  ...migration,
  ...signIn,
  ...stepUp,
  ...storage,
  ...records,
  ...buckets,
  ...accountEmail,
  ...adapters,
  ...databases,
  ...mysql,
  ...kv,
  ...linking,
  ...dangerous,
  ...secondFactors,
  ...takeover,
  ...doctor,
  ...email,
  ...testing,
  ...challenges,
  ...webauthn,
  ...accountPasskeys,
  ...accountProof,
  ...requests,
  ...guard,
  ...node,
  ...answers,
  ...config,
  ...mistakes,
  ...places,
  ...pages,
  ...passwordFlows,
  ...passwordPages,
  ...passwordSignIn,
  ...passwords,
  ...client,
  ...clientNames,
  ...harness,
  ...release,
];
