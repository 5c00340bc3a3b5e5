export * from "../../testing/kit/forms.ts";
