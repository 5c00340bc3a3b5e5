"use client";

import { useAccount } from "@x/auth/client/account/react";

export default function Own() {
  const { account, rename } = useAccount({ basePath: "/api/admin-auth" });
  return (
    <>
      <p id="own">{account === undefined ? "loading" : account?.user.name ?? "nobody"}</p>
      <button type="button" id="rename" onClick={() => void rename("Ada King")}>Rename</button>
    </>
  );
}
