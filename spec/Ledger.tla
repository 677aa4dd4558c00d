------------------------------- MODULE Ledger -------------------------------
(***************************************************************************)
(* Writers draw numbers before they commit. One owner reads the ledger,    *)
(* publishes, saves its cursor, proves holes dead, and may crash at any    *)
(* point. Says what P1 (no loss), P2 (no ghost), P3 (order), P4 (bounded   *)
(* duplicates) and P7 (liveness) say of that part.                         *)
(*                                                                         *)
(* In the product: io.outledger.frontier (Frontier, HoleTracker),          *)
(* io.outledger.relay (ActiveRelay; in .reading: Progress), and of         *)
(* io.outledger.postgresql the statements of LedgerPoll, CursorSave and    *)
(* Writers.                                                                *)
(*                                                                         *)
(* There is one owner here. That no former owner changes a row is shown in *)
(* Lease.tla; what it may still do is send what it had read ("late").      *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
  Txs,         \* transactions of writers, one message each
  Together,    \* those whose messages have one key; each other message has a key of its own
  Strangers,   \* those of Txs that never come to the ledger
  Ends,        \* how often an owner ends at most: crashes, is in doubt, or hands over
  Exact,       \* whether a poll's snapshot tells who runs; else a look before the poll does
  Cuts,        \* whether a page may withhold open positions that are visible, to bound its bytes
  Mutation     \* "none", or the name of what is broken on purpose

VARIABLES
  \* The database. The newest row of the cursor is all that is kept of it.
  phase,       \* of a transaction: idle, inserting, drawn, committed, aborted
  xid,         \* the id a transaction owns; 0 before it has one
  position,    \* the number it has drawn; 0 before
  nextXid, lastEnded,  \* the next id to be given; the highest that has ended
  nextPosition,
  cursor,      \* [high, open]
  \* The owner's memory: its frontier, and where the messages it has read are.
  high, open,
  queue,       \* read, not sent yet, in the order of sending
  sent,        \* with the broker, not acknowledged
  acked,       \* acknowledged, not saved
  dropped,     \* whether a hole was dropped since the last save
  look,        \* what a look before the poll has told, where snapshots are not exact: <<>> or one
  page,        \* what was read and is not used yet, with the snapshot it was read in: <<>> or one
  \* The owner's HoleTracker, hole by hole: those of a generation only share what is told of them.
  fresh,       \* the holes that no save has witnessed
  tracked,     \* the others: [p, witness, known, fillers, idle]; one whose fillers are known sleeps
  \* The world.
  delivered,   \* what has arrived at the broker
  late,        \* what a former owner may still send
  settledAtSave,  \* every position that some save has settled (only to state P4)
  ends, crashed   \* how many owners have ended, and whether one did so without handing over

database == <<phase, xid, position, nextXid, lastEnded, nextPosition>>
frontier == <<high, open>>
flight   == <<queue, sent, acked>>
proof    == <<look, page, fresh, tracked>>
world    == <<late, settledAtSave, ends, crashed>>
vars     == <<database, cursor, frontier, flight, dropped, proof, delivered, world>>

Symmetry == Permutations(Together)
SameKey(t, u) == t = u \/ {t, u} \subseteq Together
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Max(S) == CHOOSE x \in S : \A y \in S : x >= y
Items(s) == {s[i] : i \in 1..Len(s)}
Ascending(S) ==   \* the sequence of a set of numbers, lowest first
  [i \in 1..Cardinality(S) |-> CHOOSE x \in S : Cardinality({y \in S : y < x}) = i - 1]

Init ==
  /\ phase = [t \in Txs |-> "idle"] /\ xid = [t \in Txs |-> 0]
  /\ position = [t \in Txs |-> 0]
  /\ nextXid = 1 /\ lastEnded = 0 /\ nextPosition = 1
  /\ cursor = [high |-> 0, open |-> {}]
  /\ high = 0 /\ open = {} /\ queue = <<>> /\ sent = {} /\ acked = {} /\ dropped = FALSE
  /\ look = <<>> /\ page = <<>> /\ fresh = {} /\ tracked = {}
  /\ delivered = {} /\ late = <<>> /\ settledAtSave = {}
  /\ ends = 0 /\ crashed = FALSE

(***************************************************************************)
(* Writers. A transaction owns its id before it draws its number (the      *)
(* column's default sees to it), and holds a write lock on the ledger and  *)
(* the lock of its key's aggregate since before that and until it ends.    *)
(***************************************************************************)
Running(t) == phase[t] \in {"idle", "inserting", "drawn"}
Writing(t) == phase[t] \in {"inserting", "drawn"}

\* Some own an id long before they come to the ledger, or never come: a transaction that stays
\* here is the one that has nothing to do with the ledger and holds the horizon back.
TakeId(t) ==
  /\ phase[t] = "idle" \/ (Mutation = "idAfterNumber" /\ phase[t] = "drawn")
  /\ xid[t] = 0
  /\ xid' = [xid EXCEPT ![t] = nextXid] /\ nextXid' = nextXid + 1
  /\ UNCHANGED <<phase, position, lastEnded, nextPosition>>

Insert(t) ==
  /\ phase[t] = "idle" /\ t \notin Strangers
  /\ \A u \in Txs : SameKey(t, u) => ~Writing(u)
  /\ phase' = [phase EXCEPT ![t] = "inserting"]
  /\ IF xid[t] = 0 /\ Mutation # "idAfterNumber"
     THEN xid' = [xid EXCEPT ![t] = nextXid] /\ nextXid' = nextXid + 1
     ELSE UNCHANGED <<xid, nextXid>>
  /\ UNCHANGED <<position, lastEnded, nextPosition>>

Draw(t) ==
  /\ phase[t] = "inserting"
  /\ phase' = [phase EXCEPT ![t] = "drawn"]
  /\ position' = [position EXCEPT ![t] = nextPosition] /\ nextPosition' = nextPosition + 1
  /\ UNCHANGED <<xid, nextXid, lastEnded>>

\* What a transaction wrote becomes visible, and its locks are given back, at once.
End(t) ==
  /\ phase[t] = "drawn" /\ xid[t] # 0
  /\ \E outcome \in {"committed", "aborted"} : phase' = [phase EXCEPT ![t] = outcome]
  /\ lastEnded' = Max({lastEnded, xid[t]})
  /\ UNCHANGED <<xid, position, nextXid, nextPosition>>

Writer ==
  /\ \E t \in Txs : TakeId(t) \/ Insert(t) \/ Draw(t) \/ End(t)
  /\ UNCHANGED <<cursor, frontier, flight, dropped, proof, delivered, world>>

Visible == {position[t] : t \in {u \in Txs :
              phase[u] = "committed" \/ (Mutation = "publishedBeforeCommit" /\ phase[u] = "drawn")}}
\* pg_snapshot_xmax and pg_snapshot_xmin of a snapshot taken now.
XMax == lastEnded + 1
XMin == Min({xid[t] : t \in {u \in Txs : Running(u) /\ xid[u] # 0}} \union {XMax})

(***************************************************************************)
(* The owner.                                                              *)
(***************************************************************************)
Unsettled == Items(queue) \union sent \union acked
Sleeps(h) == h.known /\ (Exact \/ Mutation = "sleepsByALook")
Asleep == {h.p : h \in {g \in tracked : Sleeps(g)}}

\* A snapshot knows nobody whose id is above the highest that has ended.
Snapshot == [edge |-> XMax,
             running |-> {xid[t] : t \in {u \in Txs : Running(u) /\ xid[u] # 0 /\ xid[u] < XMax}}]
Ended(x, s) == x < s.edge /\ x \notin s.running

\* A filler has ended, or none is left: the hole may have been filled, or is dead.
Decided(h, s) == Sleeps(h) /\ \/ \E x \in h.fillers : Ended(x, s)
                              \/ h.fillers \subseteq h.idle
Missed(asked, s) ==
  IF Mutation = "sleepersNeverMissed" THEN {}
  ELSE {h.p : h \in {g \in tracked : g.p \notin asked /\ Decided(g, s)}}

\* What is left of a hole after a poll that looked for it and did not see it.
LookedFor(h, s) ==
  LET known == h.known \/ h.witness < s.edge \/ Mutation = "fillersFromAnyPage"
      candidates == IF h.known THEN h.fillers ELSE s.running
      left == {x \in candidates : x < h.witness /\ ~Ended(x, s) /\ x \notin h.idle}
  IN IF ~known THEN {h}
     ELSE IF left = {} \/ Mutation = "holesTimeOut" THEN {}
     ELSE {[h EXCEPT !.known = TRUE, !.fillers = left, !.idle = h.idle \intersect left]}
NotLookedFor(h) == [h EXCEPT !.fillers = h.fillers \ h.idle, !.idle = {}]

\* Where snapshots are not exact, who runs is asked for before the poll: some may end in between.
Look ==
  /\ ~Exact /\ page = <<>> /\ look = <<>>
  /\ look' = <<Snapshot>>
  /\ UNCHANGED <<database, cursor, frontier, flight, dropped, page, fresh, tracked, delivered, world>>

\* What a poll may withhold of what it could show: nothing, or all from some open position on.
Withheld(visible) ==
  {{}} \union (IF Cuts THEN {{q \in visible : q >= p} : p \in visible} ELSE {})

\* One statement, so one snapshot: what is above high, up to where the page is cut, and all open
\* positions that are neither in flight nor asleep. It is used later: a page may be read ahead.
\* What is above is left out where something open is withheld.
ReadPage ==
  /\ page = <<>> /\ (Exact \/ look # <<>>) /\ look' = <<>>
  /\ \E to \in {high} \union {p \in Visible : p > high} :
       /\ Mutation = "waitsAtHoles" => high + 1 .. to \subseteq Visible
       \* Only beside open positions may a page leave out all that is new.
       /\ to = high => (open \ Unsettled) \ Asleep # {} \/ {p \in Visible : p > high} = {}
                       \/ Mutation = "waitsAtHoles"
       /\ LET looked == Mutation # "holesLookedUpLater" \/ to = high
              asked == IF Mutation = "inFlightReadAgain" THEN open
                       ELSE IF looked THEN (open \ Unsettled) \ Asleep ELSE {}
          IN \E withheld \in Withheld(asked \intersect Visible) :
               /\ withheld = {} \/ to = high
               /\ page' = <<[above |-> high, to |-> to, asked |-> asked, withheld |-> withheld,
                             snapshot |-> IF Exact THEN Snapshot ELSE Head(look),
                             found |-> ((asked \intersect Visible) \ withheld)
                                       \union {p \in Visible : high < p /\ p <= to}]>>
  /\ UNCHANGED <<database, cursor, frontier, flight, dropped, fresh, tracked, delivered, world>>

\* Takes what a poll has found, and what it says of the holes that it looked for. Of what it has
\* withheld it says nothing.
Take(to, asked, found, withheld, s) ==
  LET passed == IF Mutation = "lastNumberOnly" THEN found ELSE high + 1 .. to
      lookedFor == ((asked \intersect open) \ Unsettled) \union passed
      shown == found \union withheld
      sought == {h \in tracked : h.p \in lookedFor}
      others == {NotLookedFor(h) : h \in tracked \ sought}
      left == UNION {LookedFor(h, s) : h \in {g \in sought : g.p \notin shown}}
      gone == {h.p : h \in sought} \ ({h.p : h \in left} \union shown)
      new == (lookedFor \ shown) \ {h.p : h \in sought}
      atOnce == Mutation = "xmaxAsBound"
  IN /\ high' = to
     /\ open' = (open \union passed) \ gone
     /\ queue' = queue \o Ascending(found)
     /\ dropped' = (dropped \/ gone # {})
     /\ fresh' = IF atOnce THEN {} ELSE (fresh \ lookedFor) \union new
     /\ tracked' = others \union left \union
          (IF atOnce THEN {[p |-> p, witness |-> s.edge, known |-> FALSE, fillers |-> {},
                            idle |-> {}] : p \in new} ELSE {})

\* A page is used while it shows all that would be read now.
Answers(read) ==
  read.above = high /\ ((open \ Unsettled) \ Asleep \subseteq read.asked \/ Mutation = "holesLookedUpLater")

UsePage ==
  /\ page # <<>>
  /\ LET read == Head(page)
     IN /\ Missed(read.asked, read.snapshot) = {}
        /\ page' = <<>>
        /\ IF Answers(read)
           THEN Take(read.to, read.asked, read.found, read.withheld, read.snapshot)
           ELSE UNCHANGED <<high, open, queue, dropped, fresh, tracked>>
  /\ UNCHANGED <<database, cursor, look, sent, acked, delivered, world>>

\* A page that misses some that slept waits, while a look asks for those, and for all that the page
\* does not show. Both are taken as one, in the order of positions, up to what the look withholds.
LookForMissed ==
  /\ page # <<>>
  /\ LET read == Head(page)
         missed == Missed(read.asked, read.snapshot)
         asked == read.asked \union missed
         visible == (asked \ read.found) \intersect Visible
     IN /\ missed # {}
        /\ page' = <<>>
        /\ IF ~Answers(read) THEN UNCHANGED <<high, open, queue, dropped, fresh, tracked>>
           ELSE \E withheld \in Withheld(visible) :
             LET found == (read.found \union visible) \ withheld
                 cut == {p \in found : \E q \in withheld : q < p}
             IN Take(IF cut = {} THEN read.to ELSE high, asked, found \ cut,
                     {p \in cut : p <= high} \union withheld, Snapshot)
  /\ UNCHANGED <<database, cursor, look, sent, acked, delivered, world>>

\* The mutant: what a look finds is handed on at once, and the page that missed it after that.
LookGoesFirst ==
  /\ page # <<>> /\ Mutation = "lookGoesFirst"
  /\ LET asked == Missed(Head(page).asked, Head(page).snapshot)
     IN /\ asked # {}
        /\ Take(high, asked, asked \intersect Visible, {}, Snapshot)
  /\ UNCHANGED <<database, cursor, look, page, sent, acked, delivered, world>>

Poll == Look \/ ReadPage \/ UsePage
        \/ (IF Mutation = "lookGoesFirst" THEN LookGoesFirst ELSE LookForMissed)

Send ==
  /\ queue # <<>>
  /\ queue' = Tail(queue)
  /\ sent' = sent \union {Head(queue)}
  /\ delivered' = delivered \union {Head(queue)}
  /\ UNCHANGED <<database, cursor, frontier, acked, dropped, proof, world>>

Acknowledge ==
  /\ \E p \in sent : sent' = sent \ {p} /\ acked' = acked \union {p}
  /\ UNCHANGED <<database, cursor, frontier, queue, dropped, proof, delivered, world>>

WantsWitness == fresh # {} /\ \A h \in tracked : h.known

\* The save's transaction owns the id nextXid, which witnesses the holes of the last poll.
Save ==
  /\ acked # {} \/ WantsWitness \/ dropped
  /\ LET settled == IF Mutation = "saveBeforeAcknowledge" THEN Unsettled ELSE acked
         now == open \ settled
         lowest == IF now = {} THEN high + 1 ELSE Min(now)
     IN /\ open' = now
        /\ cursor' = IF Mutation = "lowWaterMarkOnly"
                     THEN [high |-> lowest - 1, open |-> {}]
                     ELSE [high |-> high, open |-> now]
        /\ settledAtSave' = settledAtSave \union settled
  /\ acked' = {} /\ dropped' = FALSE
  /\ nextXid' = nextXid + 1 /\ lastEnded' = Max({lastEnded, nextXid})
  /\ tracked' = tracked \union {[p |-> p, witness |-> nextXid, known |-> FALSE, fillers |-> {},
                                 idle |-> {}] : p \in fresh}
  /\ fresh' = {}
  /\ UNCHANGED <<phase, xid, position, nextPosition, high, queue, sent, look, page, delivered, late,
                 ends, crashed>>

\* Asks who holds a write lock on the ledger and owns an id. Who does not has ended, or fills no hole
\* that was witnessed before: a poll that is sent after that shows all it wrote.
AskForWriters ==
  /\ {h \in tracked : h.known} # {} /\ Mutation # "proofByIdAlone"
  /\ LET now == {xid[t] : t \in {u \in Txs : Writing(u) /\ xid[u] # 0}}
         told == {[h EXCEPT !.idle = h.fillers \ now] : h \in {g \in tracked : g.known}}
         atOnce == {h \in told : Mutation = "droppedWithoutNextPoll" /\ h.fillers = h.idle}
     IN /\ tracked' = ((tracked \ {h \in tracked : h.known}) \union told) \ atOnce
        /\ open' = open \ {h.p : h \in atOnce}
        /\ dropped' = (dropped \/ atOnce # {})
        /\ page' = IF Mutation = "pageFromBeforeTheLook" THEN page ELSE <<>>
        /\ look' = <<>>
  /\ UNCHANGED <<database, cursor, high, flight, fresh, delivered, world>>

Forget ==
  /\ queue' = <<>> /\ sent' = {} /\ acked' = {} /\ dropped' = FALSE

ForgetProof ==
  look' = <<>> /\ page' = <<>> /\ fresh' = {} /\ tracked' = {}

\* The owner dies, or loses its lease, or is in doubt (a lost connection, a commit of unknown
\* outcome): somebody loads the newest row. Its holes are witnessed anew.
Crash ==
  /\ ends < Ends /\ ends' = ends + 1 /\ crashed' = TRUE
  /\ late' = queue
  /\ high' = cursor.high /\ open' = cursor.open
  /\ Forget /\ ForgetProof
  /\ UNCHANGED <<database, cursor, delivered, settledAtSave>>

\* It stops in good order: what was sent is acknowledged and saved, what was not sent stays open.
HandOver ==
  /\ ends < Ends /\ ends' = ends + 1 /\ sent = {}
  /\ open' = open \ acked /\ high' = high /\ cursor' = [high |-> high, open |-> open \ acked]
  /\ settledAtSave' = settledAtSave \union acked
  /\ Forget /\ ForgetProof
  /\ UNCHANGED <<database, delivered, late, crashed>>

\* A former owner that hung between its look at the deadline and the socket.
SendLate ==
  /\ late # <<>> /\ late' = Tail(late)
  /\ delivered' = delivered \union {Head(late)}
  /\ UNCHANGED <<database, cursor, frontier, flight, dropped, proof, settledAtSave, ends,
                 crashed>>

\* Another server answers, which has lost everything (the plainest lost tail): ids and numbers are
\* given out again. The owner notices with the next answer, forgets and loads. So this leads back
\* to the beginning, and adds no state but where something is kept that should not be.
FailOver ==
  /\ ends < Ends
  /\ phase' = [t \in Txs |-> "idle"] /\ xid' = [t \in Txs |-> 0]
  /\ position' = [t \in Txs |-> 0]
  /\ nextXid' = 1 /\ lastEnded' = 0 /\ nextPosition' = 1
  /\ cursor' = [high |-> 0, open |-> {}]
  /\ IF Mutation = "otherServerUnseen" THEN UNCHANGED frontier ELSE high' = 0 /\ open' = {}
  /\ Forget
  /\ IF Mutation = "trustsProofFromBefore" THEN UNCHANGED proof ELSE ForgetProof
  /\ delivered' = {} /\ late' = <<>> /\ settledAtSave' = {}
  /\ LET kept == Mutation \in {"otherServerUnseen", "trustsProofFromBefore"}
     IN ends' = (IF kept THEN ends + 1 ELSE 0) /\ crashed' = kept

Next == Writer \/ Poll \/ Send \/ Acknowledge \/ Save \/ AskForWriters \/ HandOver \/ Crash
        \/ SendLate \/ FailOver

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What is promised.                                                       *)
(***************************************************************************)
Settled(h, o, p) == p <= h /\ p \notin o
SettledInCursor(p) == Settled(cursor.high, cursor.open, p)
Committed == {t \in Txs : phase[t] = "committed"}
Drawn == {t \in Txs : phase[t] = "drawn"}

\* What is settled, saved or in memory, was delivered; what may still commit is not settled.
P1_NoLoss ==
  /\ \A t \in Committed : SettledInCursor(position[t]) \/ Settled(high, open, position[t])
                          => position[t] \in delivered
  /\ \A t \in Drawn : ~SettledInCursor(position[t]) /\ ~Settled(high, open, position[t])

P2_NoGhost == delivered \subseteq {position[t] : t \in Committed}

\* Who took the aggregate's lock later has the higher number. So: when a message is delivered, all
\* lower ones of its key that are committed have been.
P3_Order ==
  \A t, u \in Committed :
    SameKey(t, u) /\ position[t] < position[u] /\ position[u] \in delivered
    => position[t] \in delivered

\* Nothing is about to be sent that this owner has sent, or that any save has settled; and without
\* a crash nothing that was delivered at all.
P4_BoundedDuplicates ==
  /\ Items(queue) \intersect (sent \union acked \union settledAtSave) = {}
  /\ Len(queue) = Cardinality(Items(queue))
  /\ ~crashed => Items(queue) \intersect delivered = {}

(***************************************************************************)
(* Liveness: writers of the ledger end, the owner goes on. A transaction   *)
(* that only owns an id need not ever end. Asking for writers, which drops *)
(* a page, comes once a second and cannot keep pages from being used.      *)
(***************************************************************************)
Fairness ==
  /\ \A t \in Txs : WF_vars((Draw(t) \/ End(t)) /\ UNCHANGED <<cursor, frontier, flight, dropped,
                                                              proof, delivered, world>>)
  /\ WF_vars(Look) /\ WF_vars(ReadPage) /\ SF_vars(UsePage) /\ SF_vars(LookForMissed)
  /\ WF_vars(Send) /\ WF_vars(Acknowledge) /\ WF_vars(Save) /\ WF_vars(AskForWriters)

FairSpec == Spec /\ Fairness

P7_BacklogDrains ==
  \A t \in Txs \ Strangers : phase[t] = "committed"
    ~> (position[t] \in delivered /\ SettledInCursor(position[t])) \/ phase[t] # "committed"
P7_HolesEnd ==
  \A t \in Txs \ Strangers : phase[t] = "aborted" ~> (position[t] \notin cursor.open)

(***************************************************************************)
(* What must be reachable, else the above would say nothing: each of these *)
(* must be violated.                                                       *)
(***************************************************************************)
Never_AllDelivered == ~(\A t \in Txs \ Strangers : position[t] \in delivered)
Never_LateNumber ==   \* a lower number is delivered after a higher one was settled
  ~(\E p \in sent : \E q \in settledAtSave : p < q /\ p \notin settledAtSave)
Never_HoleDropped == ~(\E t \in Txs : phase[t] = "aborted" /\ SettledInCursor(position[t]))
Never_ProvenById ==   \* all fillers of a hole have ended
  ~(\E h \in tracked : h.p \notin Visible /\ h.witness < XMax /\ XMin >= h.witness)
Never_ProvenByLock ==   \* a foreign transaction runs on, the writers are gone
  ~(\E h \in tracked : h.p \notin Visible /\ h.known /\ h.fillers \subseteq h.idle
                       /\ h.fillers \subseteq Snapshot.running)
Never_FilledAsleep == Asleep \intersect Visible = {}
Never_MissedByAPage == page = <<>> \/ Missed(Head(page).asked, Head(page).snapshot) = {}
Never_FilledAfterTheLook ==   \* a poll shows what a transaction that the look lists has committed
  page = <<>> \/ \A t \in Txs : position[t] \in Head(page).found
                               => xid[t] \notin Head(page).snapshot.running
Never_DuplicateAfterCrash ==
  ~(crashed /\ \E p \in delivered : p \in Items(queue) /\ late = <<>>)
=============================================================================
