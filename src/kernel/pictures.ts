/**
 * Pictures of users that may be long: a `data:` URL holds the picture itself.
 *
 * @module
 */

/** The longest picture in tokens, cookies and what is shown of a session, in characters. */
const LONGEST_SHOWN = 2048;

/** The longest picture in storage, in characters: as many bytes as a column of MySQL's type `text` has. */
const LONGEST_STORED = 64 * 1024 - 1;

/** Gives a picture for a cookie or for what is shown of a session; `null` if it is too long. Leaves other values alone. */
export function shownPicture<T>(image: T): T | null {
  return typeof image === "string" && image.length > LONGEST_SHOWN ? null : image;
}

/** Whether a picture is too long to be stored. */
export function isTooLongToStore(image: string): boolean {
  return image.length > LONGEST_STORED;
}

/** Leaves out a picture that is too long for some storage; `null` if the picture is not too long. */
export function withoutLongPicture<U extends { image?: string | null | undefined }>(user: U): U | null {
  return shownPicture(user.image) === user.image ? null : { ...user, image: null };
}
