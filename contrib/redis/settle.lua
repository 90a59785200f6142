#!lua flags=allow-oom
-- Settles a claim. A server at its maxmemory takes it: all but what it has lost was written at the claim.
-- KEYS: as in claim.lua.
-- ARGV: sum, the claim's name, the outcome, the ttl in ms.
local sum, name, outcome, ttl = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local remember = outcome == 'done' or outcome == 'rejected'
if remember then
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + ttl), sum)
end
for i = 2, #KEYS do
  local known = redis.call('GET', KEYS[i])
  if not remember and known == sum .. '|in progress|' .. name then
    redis.call('DEL', KEYS[i])
    redis.call('ZREM', KEYS[1], sum)
  elseif remember and string.sub(known or sum, 1, #sum) == sum then -- A lost key may be another delivery's by now.
    redis.call('SET', KEYS[i], sum .. '|' .. outcome .. '|', 'PX', ttl)
  end
end
return 1
