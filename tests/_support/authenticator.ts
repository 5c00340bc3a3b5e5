export * from "../../testing/kit/authenticator.ts";
