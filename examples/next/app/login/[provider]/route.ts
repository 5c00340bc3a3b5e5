import { signIn } from "../../../auth";
import { goOn } from "../../forms";

export async function POST(request: Request, { params }: { params: Promise<{ provider: string }> }) {
  const { provider } = await params;
  const fields = Object.fromEntries(await request.formData());
  return await goOn(() => signIn(provider, { ...fields, redirect: false }));
}
