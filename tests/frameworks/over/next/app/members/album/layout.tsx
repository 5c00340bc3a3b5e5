import type { ReactNode } from "react";

export default function Album({ children }: { children: ReactNode }) {
  return (
    <>
      <p>For members only: album</p>
      {children}
    </>
  );
}
