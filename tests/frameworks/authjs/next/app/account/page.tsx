"use client";

import { SessionProvider, useSession } from "next-auth/react";

export default function Page() {
  return (
    <SessionProvider basePath="/api/auth" refetchInterval={300} refetchOnWindowFocus={false}>
      <Profile />
    </SessionProvider>
  );
}

function Profile() {
  const { data: session, status } = useSession({ required: true });
  if (status === "loading") return <p id="state">loading</p>;
  return <p id="state">{`${session.user.email} ${session.user.role} ${session.provider}`}</p>;
}
