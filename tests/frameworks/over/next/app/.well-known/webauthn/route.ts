import { handlers } from "../../../admin_auth";

export const { GET } = handlers;
