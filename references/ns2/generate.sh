#!/usr/bin/env bash
# Runs ns-2.35 (Debian package ns2) over the scenarios in tcl/ and writes data/*.csv anew.
# About twenty minutes on one core. The same arguments give the same bytes.
set -euo pipefail
cd "$(dirname "$0")"
command -v ns >/dev/null || { echo "error: ns-2 is not installed (Debian package ns2)" >&2; exit 1; }

# out HEADER FILE: begins a table.
begin() { printf '%s\n' "$2" >"data/$1.tmp"; }
finish() { mv "data/$1.tmp" "data/$1.csv"; echo "data/$1.csv: $(($(wc -l <"data/$1.csv") - 1)) rows" >&2; }
# add TABLE PREFIX SCRIPT ARGS…: one run's RES line as a row, after PREFIX.
add() { local table=$1 prefix=$2 script=$3; shift 3
  ns "tcl/$script.tcl" "$@" | awk -v p="$prefix" '/^(RES|RUN) /{ $1 = p; gsub(" ", ","); print }' >>"data/$table.tmp"; }

P001="set,mode,kind,era,n,bw_bps,alpha,beta,per,queue_limit_pkts,bottleneck_delay_ms,access_delay_ms,window_pkts,seed,dur_s,goodput_bps,goodput_first_bps,goodput_second_bps,jain,sent_pkts,rexmit_pkts,timeouts,drops_pkts,success_pct_70"
PAIRS="0.31,0.875 0.583,0.75 1,0.5 1.25,0.25"

begin gaimd_10m "$P001"
for ovh in 0 0.001; do for n in 10 40 100; do for ab in $PAIRS; do for seed in $(seq 1 10); do
  add gaimd_10m "ovh$ovh" p001_dumbbell mode=static N=$n bw=10e6 alpha=${ab%,*} beta=${ab#*,} ovh=$ovh seed=$seed
done; done; done; done
finish gaimd_10m

begin gaimd_friend_10m "$P001"
for ovh in 0 0.001; do for n in 10 40 100; do for ab in 0.31,0.875 0.583,0.75 1.25,0.25; do for seed in $(seq 1 10); do
  add gaimd_friend_10m "ovh$ovh" p001_dumbbell mode=friend N=$n bw=10e6 alpha=${ab%,*} beta=${ab#*,} ovh=$ovh seed=$seed
done; done; done; done
finish gaimd_friend_10m

# The same without dither, but with access links a little faster than the bottleneck, so that no
# two events fall on one instant.
begin gaimd_untied "$P001"
for n in 10 40; do for ab in $PAIRS; do for seed in $(seq 1 10); do
  add gaimd_untied untied p001_dumbbell mode=static N=$n bw=10e6 bwsrc=10.37e6 bwdst=10.37e6 alpha=${ab%,*} beta=${ab#*,} seed=$seed
  [ "$ab" = "1,0.5" ] ||
    add gaimd_untied untied p001_dumbbell mode=friend N=$n bw=10e6 bwsrc=10.37e6 bwdst=10.37e6 alpha=${ab%,*} beta=${ab#*,} seed=$seed
done; done; done
finish gaimd_untied

begin gaimd_handoff "$P001"
for ab in $PAIRS; do for seed in $(seq 1 20); do
  add gaimd_handoff handoff p001_dumbbell mode=handoff N=1 bw=100e6 bwdst=10e6 alpha=${ab%,*} beta=${ab#*,} seed=$seed
done; done
finish gaimd_handoff

begin red_tcp "set,n,bw_bps,queue_limit_pkts,weight,byte_mode,gentle,seed,goodput_bps,jain,drop_rate,average_mean_pkts,queue_mean_pkts"
for n in 2 10 40; do for wq in 0.002 -1; do for bytes in 0 1; do for seed in $(seq 1 10); do
  add red_tcp red red_tcp n=$n wq=$wq redbytes=$bytes seed=$seed
done; done; done; done
for seed in $(seq 1 10); do add red_tcp red red_tcp n=10 wq=0.002 gentle=0 seed=$seed; done
finish red_tcp

begin periodic_loss "set,kind,k,loss,rtt_ms,tick_s,minrto_s,sent_pkts_per_s,delivered_pkts_per_s,sent_bps,timeouts,cuts"
for kind in tahoe reno newreno sack tfrc; do for dly in 10 48; do for k in 1000 200 100 50 20 10; do
  add periodic_loss periodic p002_periodic kind=$kind k=$k dly=$dly
done; done; done
finish periodic_loss

# TCP SACK and TFRC over one bottleneck: a DSL line, cells of the fairness surfaces, RED's weight.
P002="ovh_s,tfrc_tick_s,mode,qtype,n,bw_bps,queue_limit_pkts,nrev,weight,seed,dur_s,warm_s,tcp_goodput_bps,tfrc_goodput_bps,theta,drop_rate"
begin tfrc_dsl "$P002"
for set in 0,0.1,0,5 0,0.1,4,5 0.01,0.1,0,5 0.01,0.1,4,5 0,0.001,4,5 0,0.1,0,10 0,0.1,0,25; do
  IFS=, read -r ovh tick nrev q <<<"$set"
  for seed in $(seq 1 10); do
    add tfrc_dsl "$ovh,$tick" p002_fair mode=dsl ovh=$ovh ftick=$tick nrev=$nrev q=$q amin=0.5 dur=200 warm=20 seed=$seed
  done
done
finish tfrc_dsl

begin tfrc_theta "$P002"
for n in 2 10; do for bwq in 0.2,5 1,5 5,14; do for seed in $(seq 1 10); do
  add tfrc_theta 0,0.1 p002_fair n=$n nrev=$n bw=${bwq%,*}e6 q=${bwq#*,} accbw=50e6 amin=0.5 seed=$seed
  add tfrc_theta 0,0.1 p002_fair qtype=RED redbytes=0 n=$n nrev=$n bw=${bwq%,*}e6 q=50 accbw=50e6 amin=0.5 seed=$seed
done; done; done
finish tfrc_theta

begin tfrc_weight "weight,seed,average_min_pkts,average_mean_pkts,average_max_pkts"
for wq in 0.0001 0.002 0.02 0.1; do for seed in $(seq 1 10); do
  ns tcl/p002_fair.tcl mode=wq qtype=RED redbytes=0 n=2 nrev=2 bw=5e6 q=50 accbw=50e6 amin=0.5 wq=$wq seed=$seed |
    awk '/^WQ /{ print $2 "," $4 "," $5 "," $6 "," $7 }' >>data/tfrc_weight.tmp
done; done
finish tfrc_weight

begin abrupt_delay "set,kind,mu_bps,t1_s,t2_s,h,p,window_pkts,d,g_s,seed,dur_s,transitions,acked_pkts,goodput_pkts_per_s,sent_pkts,rexmit_pkts,timeouts,fast_retx"
for kind in reno newreno oldtahoe; do for h in 0.1 1 10 100; do for seed in $(seq 1 10); do
  add abrupt_delay fig5 p004_rtt mode=run kind=$kind T1=0.1 T2=0.3 wm=12 h=$h G=0.01 dur=1000 seed=$seed
done; done; done
for d in 1 2 4 6 8 10 12; do for seed in $(seq 1 10); do
  add abrupt_delay fig6 p004_rtt mode=run kind=reno T1=0.1 T2=0.3 wm=12 h=0.1 G=0.01 D=$d dur=1000 seed=$seed
done; done
for hp in 0.1,0.001 1,0.01 10,0.05; do for d in 1 3 7 12; do for seed in $(seq 1 10); do
  add abrupt_delay fig7 p004_rtt mode=run kind=reno T1=0.1 T2=0.3 wm=12 h=${hp%,*} p=${hp#*,} G=0.01 D=$d dur=1000 seed=$seed
done; done; done
for p in 0 0.001; do for g in 0.001 0.03 0.05 0.1 0.5; do for seed in $(seq 1 10); do
  add abrupt_delay fig8 p004_rtt mode=run kind=oldtahoe mu=2e6 T1=0.1 T2=0.3 wm=24 h=10 p=$p G=$g dur=1000 seed=$seed
done; done; done
finish abrupt_delay

begin standard_tcp "set,kind,payload_B,timestamps,headers,window_pkts,queue_limit_pkts,start1_s,start2_s,forced_drops,one_sender,tick_s,minrto_s,sent1_B,sent2_B,acked1_B,acked2_B,drops_pkts,timeouts1,timeouts2,cuts1,cuts2"
for start in 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2.0; do for errs in 0 1; do
  add standard_tcp standard p000_baseline kind=reno t2=$start errs=$errs
done; done
finish standard_tcp

VEGAS="mode,kind,bw_bps,hop_delay_ms,queue_limit_pkts,long_access_ms,short_access_ms,vegas_alpha,vegas_beta,dur_s,total_goodput_bps,fraction_of_bw,jain,max_queue_pkts,drops_pkts"
# vegas MODE NAME=VALUE…: one row, without the columns for each flow.
vegas() { local mode=$1; shift
  ns tcl/p003_vegas.tcl mode=$mode kind=vegas q=1000 ser=0 "$@" |
    awk '/^RES /{ row = $2; for (i = 3; i <= 16; i++) row = row "," $i; print row }' >>data/vegas_$mode.tmp; }

begin vegas_simple "$VEGAS"
for bw in 25000000.0 40000000.0 50000000.0; do vegas simple bw=$bw; done
finish vegas_simple

begin vegas_lot "$VEGAS"
for bw in 20000000.0 40000000.0; do for dly in 2 5; do for dur in 2 10; do for long in 5 10; do for ab in "1 3" "2 4"; do
  vegas lot bw=$bw dly=$dly long=$long va=${ab% *} vb=${ab#* } dur=$dur
done; done; done; done; done
finish vegas_lot

# Vegas with losses: forty lists of lost packets, up to number 401, for five windows.
begin vegas_lossy "run,window_pkts,drops,sent_pkts,rexmit_pkts,timeouts"
traces=$(mktemp -d)
awk 'BEGIN { split("8 20 30 50 100", windows, " "); split("3 8 20 60", counts, " "); x = 12345
  for (run = 1; run <= 40; run++) {
    delete lost
    for (i = 1; i <= counts[(run - 1) % 4 + 1]; i++) { x = x * 16807 % 2147483647; lost[2 + x % 400] = 1 }
    list = ""; for (n = 2; n <= 401; n++) if (n in lost) list = list "," n
    print run, windows[(run - 1) % 5 + 1], substr(list, 2) } }' |
  while read -r run window drops; do
    ns tcl/micro.tcl kind=vegas delay=50ms q=1000 win="$window" dur=40 drops="$drops" out="$traces/run" |
      awk -v p="$run,$window,${drops//,/ }" '/^SUMMARY /{ print p "," $6 "," $8 "," $10 }' >>data/vegas_lossy.tmp
  done
rm -r "$traces"
finish vegas_lossy

begin gaimd_100m "$P001"
for ovh in 0 0.0001; do for n in 10 100; do for ab in $PAIRS; do for seed in $(seq 1 5); do
  add gaimd_100m "ovh$ovh" p001_dumbbell mode=static N=$n bw=100e6 alpha=${ab%,*} beta=${ab#*,} ovh=$ovh seed=$seed
done; done; done; done
finish gaimd_100m

begin gaimd_wireless "$P001"
for per in 0.01 0.03 0.05; do for ab in $PAIRS; do for seed in $(seq 1 5); do
  add gaimd_wireless wireless p001_dumbbell mode=static N=100 bw=100e6 bwdst=10e6 per=$per alpha=${ab%,*} beta=${ab#*,} seed=$seed
done; done; done
finish gaimd_wireless

for mode in inc dec; do for ab in $PAIRS; do for seed in $(seq 1 5); do
  ns tcl/p001_dumbbell.tcl mode=$mode N=100 bw=100e6 alpha=${ab%,*} beta=${ab#*,} dur=30 persec=1 seed=$seed |
    awk -v p="$mode,${ab%,*},${ab#*,},$seed" '/^SEC/{print p "," $2 "," $3 "," $4 "," $5}'
done; done; done | awk -f windows.awk >data/gaimd_dynamic.tmp
finish gaimd_dynamic
