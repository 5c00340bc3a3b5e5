/**
 * Features of this package, as values of a configuration.
 *
 * @module
 */

/**
 * Something that a service does beyond signing people in. Functions of this package make features. You cannot write one:
 * features act at five points only, so that none of them can be passed by.
 */
export interface Feature {
  /** Its name. A configuration has each feature once. */
  readonly id: string;
}

/** Where a feature acts, see `Points`. */
export type PointName = (typeof EVERYWHERE)[number] | "continues";

// Without `continues`, which would cost time at each reading of a session.
const EVERYWHERE = [
  ...["guess", "mail", "mint", "demands", "entered", "changed", "page", "routes", "check"] as const,
] as const;

/** What a feature cannot do without: records in storage, or a way to send mail. */
export type FeatureNeed = "records" | "mail";

interface Made {
  readonly needs: readonly FeatureNeed[];
  readonly acts: readonly PointName[];
  readonly load: () => Promise<object>;
}

/** What is known of each feature. Only what is here is one. */
const made = new WeakMap<object, Made>();

/**
 * Makes a feature, whose code is loaded once it is needed.
 *
 * @param load Loads what it does, see `Points`.
 * @param acts Where it acts at most: what happens elsewhere costs nothing more because of it. By default everywhere but where
 * sessions are read.
 */
export function makeFeature(
  id: string,
  needs: readonly FeatureNeed[],
  load: () => Promise<object>,
  acts: readonly PointName[] = EVERYWHERE,
): Feature {
  const feature = Object.freeze({ id });
  made.set(feature, { needs, load, acts });
  return feature;
}

const asking = new WeakSet<object>();

/** Notes that a feature asks a second proof of everybody, so that a password is never the only one. */
export function askingEverybody(feature: Feature): Feature {
  asking.add(feature);
  return feature;
}

/** Whether one of these features asks a second proof of everybody. */
export function asksEverybody(features: readonly unknown[]): boolean {
  return features.some((feature) => isFeature(feature) && asking.has(feature));
}

/** Where features act. */
export function pointsActedAt(features: readonly Feature[]): ReadonlySet<PointName> {
  return new Set(features.flatMap((feature) => made.get(feature)?.acts ?? []));
}

/** Whether a value is a feature. */
export function isFeature(value: unknown): value is Feature {
  return typeof value === "object" && value !== null && made.has(value);
}

/** What a feature cannot do without. */
export function needsOf(feature: Feature): readonly FeatureNeed[] {
  return made.get(feature)?.needs ?? [];
}

/** Loads the code of a feature. */
export function loadFeature(feature: Feature): Promise<object> {
  return made.get(feature)?.load() ?? Promise.resolve({});
}
