export const revalidate = 60;

export default function Fresh() {
  return <p>For members only: made every minute</p>;
}
