# red_tcp.tcl -- n TCP/Sack1 flows over one RED bottleneck: mean queue, mean average, drop rate.
source [file dirname [info script]]/lib.tcl
array set P {n 10 bw 5e6 dly 10 q 50 accbw 50e6 acc 2 dur 120 warm 20 seed 1 size 1000 win 1000 wq -1 meanpkt 1000
    redbytes 0 gentle 1 ovh 0.001 minth 0 maxth 0 maxp_inv 10}
getargs
lean_headers
$defaultRNG seed $P(seed)
Agent/TCP set window_ $P(win)
Agent/TCP set packetSize_ $P(size)
Agent/TCP set overhead_ $P(ovh)
Queue/RED set mean_pktsize_ $P(meanpkt)
Queue/RED set q_weight_ $P(wq)
Queue/RED set thresh_ $P(minth)
Queue/RED set maxthresh_ $P(maxth)
Queue/RED set linterm_ $P(maxp_inv)
Queue/RED set gentle_ [expr $P(gentle)?"true":"false"]
Queue/RED set bytes_ [expr $P(redbytes)?"true":"false"]
Queue/RED set queue_in_bytes_ [expr $P(redbytes)?"true":"false"]
set ns [new Simulator]
set r1 [$ns node]; set r2 [$ns node]
$ns simplex-link $r1 $r2 $P(bw) $P(dly)ms RED
$ns simplex-link $r2 $r1 $P(bw) $P(dly)ms DropTail
$ns queue-limit $r1 $r2 $P(q); $ns queue-limit $r2 $r1 10000
set rng [new RNG]; $rng seed [expr $P(seed)*7919+3]
for {set i 0} {$i < $P(n)} {incr i} {
    set S($i) [$ns node]; set D($i) [$ns node]
    foreach {x y} [list $S($i) $r1 $r2 $D($i)] {
        $ns duplex-link $x $y $P(accbw) $P(acc)ms DropTail
        $ns queue-limit $x $y 10000; $ns queue-limit $y $x 10000
    }
    foreach [list a($i) k($i)] [mk_flow $ns sack $S($i) $D($i) $i] break
    start_flow $ns sack $a($i) [$rng uniform 0 1.0]
}
set qm [$ns monitor-queue $r1 $r2 ""]
set redq [[$ns link $r1 $r2] queue]
set qs 0.; set qi 0.; set nq 0
proc samp {} { global ns redq qs qi nq P qm
    set qs [expr $qs+[$redq set ave_]/($P(redbytes)?$P(meanpkt):1.0)]; set qi [expr $qi+[$qm set pkts_]]; incr nq
    $ns at [expr [$ns now]+0.01] samp }
$ns at $P(warm) { for {set i 0} {$i < $P(n)} {incr i} { set b($i) [delivered sack $a($i) $k($i)] }
    set pd0 [$qm set pdrops_]; set pa0 [$qm set parrivals_]; samp }
$ns at $P(dur) {
    set tot 0; set l {}
    for {set i 0} {$i < $P(n)} {incr i} { set x [expr [delivered sack $a($i) $k($i)]-$b($i)]; incr tot $x; lappend l $x }
    set loss [expr double([$qm set pdrops_]-$pd0)/([$qm set parrivals_]-$pa0+1e-9)]
    puts "RES $P(n) $P(bw) $P(q) $P(wq) $P(redbytes) $P(gentle) $P(seed) [format %.0f [expr $tot*$P(size)*8.0/($P(dur)-$P(warm))]] [format %.5f [jain $l]] [format %.6f $loss] [format %.4f [expr $qs/$nq]] [format %.4f [expr $qi/$nq]]"
    exit 0
}
$ns run
