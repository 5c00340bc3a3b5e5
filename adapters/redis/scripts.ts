/**
 * What is done to one key of Redis at once, as programs in Lua.
 *
 * Each reads and writes one key, so that they run in a cluster, too. A session is the field of a hash, of the form
 * `expires LF epochs LF session`. What sets it aside appends `LF !` and its name.
 *
 * @module
 */

/** Makes a key live at least until a time, in milliseconds since 1970: `now` is ARGV[2], the time is ARGV[1]. */
const RAISE = `
local function raise()
  local left = redis.call('PTTL', KEYS[1])
  if left < 0 or tonumber(ARGV[2]) + left < tonumber(ARGV[1]) then
    redis.call('PEXPIREAT', KEYS[1], ARGV[1])
  end
end`;

/** Adds a session: field, value, and the time before which others have expired. 0 if there is another one. */
export const ADD = `${RAISE}
local known = redis.call('HGET', KEYS[1], ARGV[3])
if known then
  if known == ARGV[4] then return 1 end
  return 0
end
redis.call('HSET', KEYS[1], ARGV[3], ARGV[4])
raise()
local some = redis.pcall('HRANDFIELD', KEYS[1], 16, 'WITHVALUES')
for at = 1, #some, 2 do
  local expires = tonumber(string.match(some[at + 1], '^(%d+)\\n'))
  if some[at] ~= ARGV[3] and expires and expires < tonumber(ARGV[5]) then
    redis.call('HDEL', KEYS[1], some[at])
  end
end
return 1`;

/**
 * Changes a session: field, when it expires, the session, and the session as it was read. Empty texts stay as they are.
 * Returns what is stored; nothing if there is no session; an empty text if it is not as it was read.
 */
export const UPDATE = `${RAISE}
local stored = redis.call('HGET', KEYS[1], ARGV[3])
if not stored then return false end
local expires, epochs, session = string.match(stored, '^(%d+)\\n([^\\n]*)\\n(.*)$')
if ARGV[5] ~= '' then
  if session ~= ARGV[6] then return '' end
  session = ARGV[5]
end
if ARGV[4] ~= '' then expires = ARGV[4] end
stored = expires .. '\\n' .. epochs .. '\\n' .. session
redis.call('HSET', KEYS[1], ARGV[3], stored)
raise()
return stored`;

/** Removes a session, and returns it. */
export const REMOVE = `
local stored = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[1], ARGV[1])
return stored`;

/** Sets a session aside: field, and who does it. */
export const SET_ASIDE = `
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if stored then redis.call('HSET', KEYS[1], ARGV[1], stored .. '\\n!' .. ARGV[2]) end
return 1`;

/** Puts a session back: field, and who has set it aside. */
export const PUT_BACK = `
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if not stored then return 0 end
local first, last = string.find(stored, '\\n!' .. ARGV[2], 1, true)
if not first then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], string.sub(stored, 1, first - 1) .. string.sub(stored, last + 1))
return 1`;

/** Removes all sessions but one, if there is one: field, and its epochs. */
export const END = `
local stored = ARGV[1] ~= '' and redis.call('HGET', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[1])
if not stored then return 0 end
local expires, session = string.match(stored, '^(%d+)\\n[^\\n]*\\n(.*)$')
redis.call('HSET', KEYS[1], ARGV[1], expires .. '\\n' .. ARGV[2] .. '\\n' .. session)
if left > 0 then redis.call('PEXPIRE', KEYS[1], left) end
return 1`;

/** Adds a member to a set. */
export const ADD_MEMBER = `${RAISE}
redis.call('SADD', KEYS[1], ARGV[3])
raise()
return 1`;

/**
 * Takes from a bucket, whose value is its time: what is added, the least and the most time, and until when it is kept
 * from now. Returns its time if it refuses, otherwise 0.
 */
export const TAKE = `
local time = tonumber(redis.call('GET', KEYS[1]) or '0')
local step, least, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if step < 0 and time <= least then return 0 end
if time > most then return time end
local after = math.max(time + step, least)
local kept = after - tonumber(ARGV[4])
redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', string.format('%.0f', kept))
return 0`;

/** Any command on one key, for clients that have no function for all commands. */
export const ANY = `return redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))`;
