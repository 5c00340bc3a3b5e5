/**
 * Features of this package, as values of a configuration.
 *
 * @module
 */

/**
 * Something that a service does beyond signing people in. A function of a subpath of this package makes it, such as
 * `@x/auth/second-factor`. It acts at five points only, so there are no others that you could write.
 */
export interface Feature {
  /** Its name. A configuration has each feature once. */
  readonly id: string;
}

/** What loads the code of each feature. Only what is here is one. */
const loads = new WeakMap<object, () => Promise<object>>();

/** Makes a feature, whose code is loaded once it is needed. */
export function makeFeature(id: string, load: () => Promise<object>): Feature {
  const feature = Object.freeze({ id });
  loads.set(feature, load);
  return feature;
}

/** Whether a value is a feature. */
export function isFeature(value: unknown): value is Feature {
  return typeof value === "object" && value !== null && loads.has(value);
}

/** Loads the code of a feature. */
export function loadFeature(feature: Feature): Promise<object> | undefined {
  return loads.get(feature)?.();
}
