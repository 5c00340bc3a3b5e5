export * from "../../testing/kit/runtime.ts";
