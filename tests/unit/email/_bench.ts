/** An email provider under test: records the calls of storage and the emails it sends, and has a clock to move. */
import { memoryAdapter } from "../../../adapters/memory.ts";
import type { Adapter, CompleteAdapter } from "../../../src/contract/adapter.ts";
import type { AuthConfig } from "../../../src/contract/config.ts";
import type { RequestContext } from "../../../src/request/context.ts";
import type { RedirectUrl } from "../../../src/http/redirect_url.ts";
import type { EmailOptions, VerificationRequest } from "../../../src/contract/provider.ts";
import type { ResolvedEmailProvider } from "../../../src/config/resolved_provider.ts";
import { keep, testConfig, testContext, type TestLog, testLog, type TestRuntime, testRuntime } from "../_builders.ts";

export const ADDRESS = "ada@example.com";
export const TARGET = "https://app.test/cart" as RedirectUrl;

export interface BenchOptions {
  /** Options of the provider. */
  readonly email?: EmailOptions;
  /** Configuration of the service. */
  readonly config?: AuthConfig;
  /** Operations that replace those of memory, or take them away. */
  readonly storage?: Adapter;
}

export interface Bench {
  readonly provider: ResolvedEmailProvider;
  readonly adapter: CompleteAdapter;
  readonly runtime: TestRuntime;
  readonly log: TestLog;
  readonly mails: Omit<VerificationRequest, "provider">[];
  /** The operations of storage and `send`, in order. */
  readonly calls: string[];
  /** The context of a request with these cookies. */
  context(url?: string, cookies?: Readonly<Record<string, string>>): RequestContext;
}

export function bench({ email = {}, config = {}, storage = {} }: BenchOptions = {}): Bench {
  const runtime = testRuntime();
  const log = testLog();
  const calls: string[] = [];
  const mails: Bench["mails"] = [];
  const adapter = memoryAdapter({ now: runtime.now });
  const { sendVerificationRequest = () => {}, ...options } = email;
  const resolved = testConfig({
    adapter: recording({ ...adapter, ...storage }, calls),
    logger: log.logger,
    providers: [{
      id: "email",
      name: "Email",
      type: "email",
      options: {
        ...options,
        sendVerificationRequest(mail) {
          calls.push("send");
          mails.push(mail);
          return sendVerificationRequest(mail);
        },
      },
    }],
    ...config,
  }, runtime);
  const provider = resolved.providers.get("email");
  if (provider?.type !== "email") throw resolved.problems[0] ?? new TypeError("there is no email provider");
  const context: Bench["context"] = (url = "https://app.test/auth/signin/email", cookies = {}) => {
    return testContext(url, { config: resolved, cookies });
  };
  return { provider, adapter, runtime, log, mails, calls, context };
}

function recording(adapter: Adapter, calls: string[]): Adapter {
  const operations = Object.entries(adapter).filter(([, operation]) => operation !== undefined);
  const entries = operations.map(([name, operation]) => [name, (...args: unknown[]) => {
    calls.push(name);
    return (operation as (...args: unknown[]) => unknown)(...args);
  }]);
  return Object.fromEntries(entries);
}

/** The cookies of a browser after a request. */
export function cookiesAfter(ctx: RequestContext): Record<string, string> {
  return keep(ctx.cookies.close());
}
