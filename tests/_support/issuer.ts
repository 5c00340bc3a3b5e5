export * from "../../testing/kit/issuer.ts";
