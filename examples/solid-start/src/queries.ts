import { query } from "@solidjs/router";
import { readMember, readUser } from "~/server";

export const userQuery = query(readUser, "user");
export const memberQuery = query(readMember, "member");
