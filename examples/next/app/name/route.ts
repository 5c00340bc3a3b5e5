import { unstable_update } from "../../auth";
import { goOn } from "../forms";

export async function POST(request: Request) {
  const form = await request.formData();
  return await goOn(async () => {
    await unstable_update({ user: { name: String(form.get("name")) } });
    return "./";
  });
}
