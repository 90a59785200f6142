-- Settles a claim.
-- KEYS: as in claim.lua.
-- ARGV: whole, the claim's fence, the outcome, the time to keep in ms.
-- Returns 1, or 0 where the delivery is another claim's.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local whole, fence, outcome, keep = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local standing, holder = unpack(redis.call('HMGET', KEYS[1], 'standing', 'fence'))
if holder ~= fence then
  return 0
elseif standing ~= 'underway' then
  return standing == outcome and 1 or 0 -- The reply to an earlier sending got lost.
end

if outcome == 'failed' then
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[3], whole)
  for i = 4, #KEYS do
    redis.call('DEL', KEYS[i])
  end
  return 1
end

redis.call('HSET', KEYS[1], 'standing', outcome)
redis.call('PEXPIRE', KEYS[1], keep)
redis.call('ZADD', KEYS[3], string.format('%.0f', now + keep), whole)
for i = 4, #KEYS do
  redis.call('PEXPIRE', KEYS[i], keep)
end
return 1
