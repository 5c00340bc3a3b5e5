"use server";

import { AuthError } from "next-auth";
import { signIn } from "@/auth";

export async function authenticate(_previous: string | undefined, formData: FormData) {
  try {
    await signIn("credentials", formData);
  } catch (error) {
    if (error instanceof AuthError) {
      switch (error.type) {
        case "CredentialsSignin":
          return "Invalid credentials.";
        default:
          return error.cause?.err?.message ?? "Something went wrong.";
      }
    }
    throw error;
  }
}

export async function signInWith(formData: FormData) {
  await signIn(String(formData.get("provider")), { redirectTo: "/members" });
}
