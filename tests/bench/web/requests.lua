-- Sends the requests of a file in order, one a line: path, cookies and the body of a form, parted by
-- tabs. Without bodies they are GET and begin anew after the last one. Counts answers by status.
-- wrk asks for one request before it sends any, to look at it: the count begins below it.
local requests, sent, counts = {}, -1, {}
for line in assert(io.open(os.getenv("BENCH_REQUESTS"))):lines() do
  local path, cookies, body = line:match("^(%S+)\t(.-)\t(.*)$")
  requests[#requests + 1] = {path, cookies, body}
end
local host, origin = os.getenv("BENCH_HOST"), os.getenv("BENCH_ORIGIN")
local threads = {}
statuses, used_up = "", 0

function setup(thread) threads[#threads + 1] = thread end

function request()
  local is_post = requests[1][3] ~= ""
  sent = sent + 1
  if is_post and sent > #requests then used_up = 1 end
  local one = requests[(sent - 1) % #requests + 1]
  local headers = {
    ["Cookie"] = one[2], ["Host"] = host, ["X-Forwarded-Proto"] = "https", ["Origin"] = origin,
    ["Referer"] = origin .. "/", ["Accept-Encoding"] = "gzip",
    ["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64)", ["Accept-Language"] = "en",
  }
  if is_post then headers["Content-Type"] = "application/x-www-form-urlencoded" end
  return wrk.format(is_post and "POST" or "GET", one[1], headers, is_post and one[3] or nil)
end

function response(status, headers, body)
  counts[status] = (counts[status] or 0) + 1
  statuses = ""
  for one, count in pairs(counts) do statuses = statuses .. one .. "=" .. count .. " " end
end

function done(summary, latency, requests)
  for _, thread in ipairs(threads) do
    io.write("STATUSES " .. thread:get("statuses") .. "\n")
    if thread:get("used_up") == 1 then io.write("USED UP\n") end
  end
  local errors = summary.errors
  io.write(string.format("RESULT requests=%d seconds=%f p50=%f p99=%f bytes=%d errors=%d\n",
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, summary.bytes,
    errors.connect + errors.read + errors.write + errors.timeout))
end
