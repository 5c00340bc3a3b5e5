export * from "../../testing/kit/cookie_jar.ts";
