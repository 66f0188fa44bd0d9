# From one line a second (mode,alpha,beta,seed,second,active,goodput_bps,jain) to one line a run: means
# over the slots 6-15, 16-20, 21-25 and 26-30 s.
BEGIN { FS = OFS = ","; split("6 16 21 26", from, " "); split("15 20 25 30", to, " ")
  print "mode,alpha,beta,seed,asg1_bps,asg2_bps,asg3_bps,asg4_bps,jain1,jain2,jain3,jain4" }
function flush_run(   line, w) {
  if (run == "") return
  line = run
  for (w = 1; w <= 4; w++) line = line OFS sprintf("%.1f", goodput[w] / (to[w] - from[w] + 1))
  for (w = 1; w <= 4; w++) line = line OFS sprintf("%.6f", jain[w] / (to[w] - from[w] + 1))
  print line
  delete goodput; delete jain
}
FNR == 1 && $1 == "fig" { next }
{ key = $1 OFS $2 OFS $3 OFS $4
  if (key != run) { flush_run(); run = key }
  for (w = 1; w <= 4; w++) if ($5 >= from[w] && $5 <= to[w]) { goodput[w] += $7; jain[w] += $8 } }
END { flush_run() }
