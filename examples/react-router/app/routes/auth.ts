import { auth } from "../auth.server";

// One by one: the build does not take them out of an object.
export const loader = auth.loader;
export const action = auth.action;
