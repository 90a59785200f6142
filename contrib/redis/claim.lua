-- Claims a delivery. The clock is the server's, so that replicas need not agree on theirs.
-- KEYS: all deliveries by the time of their end, then the delivery, with its status and a claim's name.
-- ARGV: the delivery, the name of this claim, its ttl in ms, the maximum number of deliveries.
-- Returns the status.
local delivery, name, ttl, limit = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local mine = 'in progress|' .. name

local known = redis.call('GET', KEYS[2])
if known == mine then
  return 'granted' -- The reply to an earlier sending got lost.
elseif known then
  return string.match(known, '^[^|]*')
end

-- ZADD comes first because a server at its maxmemory refuses the first write of a script only, and only if it takes
-- memory.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ttl), delivery)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) > limit then
  redis.call('ZREM', KEYS[1], delivery)
  return 'store full'
end
redis.call('SET', KEYS[2], mine, 'PX', ttl)
return 'granted'
