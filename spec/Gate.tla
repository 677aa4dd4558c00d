-------------------------------- MODULE Gate --------------------------------
(***************************************************************************)
(* The proof of dead holes on MySQL and MariaDB. InnoDB shows nobody which *)
(* transactions hold which numbers, so a writer takes a shared lock on a   *)
(* row of the gate, a slot, before its number is drawn and until its       *)
(* transaction ends. A relay looks which slots are free, probes the holes  *)
(* for locked rows, and polls. Says what P1 (no loss) and P7 (liveness)    *)
(* say of that part, and that writers do not wait for a relay.             *)
(*                                                                         *)
(* In the product: io.outledger.mysql (AppendStatement, Gate, GateLook,    *)
(* LedgerPoll), and what io.outledger.frontier.HoleTracker makes of it.    *)
(*                                                                         *)
(* What is found is settled at once here. How it is sent, in which order,  *)
(* and what a page may withhold is the matter of Ledger.tla.               *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
  Txs,         \* transactions of writers, one message each
  Slots,       \* how many; 16 in the product
  Spares,      \* whether looks leave out the slots of this second and the next
  RoundsMax,   \* how many rounds are on the way at most; 8 in the product
  Crashes,     \* how often the server is killed at most
  Mutation     \* "none", or the name of what is broken on purpose

VARIABLES
  \* The server.
  phase,       \* of a transaction: idle, called, locked, drawn, inserted, prepared, committed,
               \* aborted
  chosen,      \* the slot that its statement has chosen and not locked yet, or None
  shared,      \* the slot on which it holds a shared lock, or None
  position,    \* the number it has drawn; 0 before, and once that is given up
  nextPosition,
  cursor,      \* [high, open]
  \* The relay's memory.
  high, open,
  at,          \* what its poll is at: rest, look, probe, read
  look,        \* the look that is under way: <<>> or one
  probe,       \* the positions that are still to be probed
  page,        \* what was read and is not used yet: <<>> or one
  \* Its holes.
  fresh,       \* those that no save has followed
  next,        \* the round that is to begin: <<>> or one
  rounds,      \* those on the way: [left, holes]; left are the slots not seen free yet
  proven,      \* those whose round is over
  earlier,     \* the slots that were ever seen free (only for a mutant)
  \* The world.
  delivered,   \* the transactions whose message was found
  crashes

server   == <<phase, chosen, shared, position, nextPosition>>
frontier == <<high, open>>
poll     == <<at, look, probe, page>>
proof    == <<fresh, next, rounds, proven, earlier>>
relay    == <<frontier, poll, proof, delivered>>
vars     == <<server, cursor, relay, crashes>>

Symmetry == Permutations(Txs)
All      == 0..(Slots - 1)
None     == -1
Max(S)   == CHOOSE x \in S : \A y \in S : x >= y
Set(f, t, x) == [f EXCEPT ![t] = x]

Init ==
  /\ phase = [t \in Txs |-> "idle"] /\ position = [t \in Txs |-> 0]
  /\ chosen = [t \in Txs |-> None] /\ shared = [t \in Txs |-> None]
  /\ nextPosition = 1 /\ cursor = [high |-> 0, open |-> {}]
  /\ high = 0 /\ open = {} /\ at = "rest" /\ look = <<>> /\ probe = {} /\ page = <<>>
  /\ fresh = {} /\ next = <<>> /\ rounds = <<>> /\ proven = {} /\ earlier = {}
  /\ delivered = {} /\ crashes = 0

(***************************************************************************)
(* Writers. One statement locks the slot of the second in which it began,  *)
(* draws the number and inserts the row; it may hang between any two of    *)
(* these. Until the row is there, nobody can see that the number is taken. *)
(***************************************************************************)
LocksLate == Mutation = "locksAfterTheNumber"
TakenByRelay == IF look = <<>> THEN {} ELSE Head(look).free

Call(t) ==
  /\ phase[t] = "idle" /\ phase' = Set(phase, t, "called") /\ chosen' = Set(chosen, t, 0)
  /\ UNCHANGED <<shared, position, nextPosition>>

\* Writers do not wait for each other here, but for a relay that has just taken the slot.
Lock(t) ==
  /\ phase[t] = (IF LocksLate THEN "drawn" ELSE "called") /\ phase' = Set(phase, t, "locked")
  /\ chosen[t] \notin TakenByRelay
  /\ shared' = Set(shared, t, chosen[t]) /\ chosen' = Set(chosen, t, None)
  /\ UNCHANGED <<position, nextPosition>>

Draw(t) ==
  /\ phase[t] = (IF LocksLate THEN "called" ELSE "locked") /\ phase' = Set(phase, t, "drawn")
  /\ position' = Set(position, t, nextPosition) /\ nextPosition' = nextPosition + 1
  /\ UNCHANGED <<chosen, shared>>

Insert(t) ==
  /\ phase[t] = (IF LocksLate THEN "locked" ELSE "drawn") /\ phase' = Set(phase, t, "inserted")
  /\ UNCHANGED <<chosen, shared, position, nextPosition>>

\* XA PREPARE: the row stays locked. MariaDB gives the gate's lock back, MySQL keeps it.
Prepare(t) ==
  /\ phase[t] = "inserted" /\ phase' = Set(phase, t, "prepared")
  /\ \E kept \in {shared[t], None} : shared' = Set(shared, t, kept)
  /\ UNCHANGED <<chosen, position, nextPosition>>

\* What it wrote becomes visible, and its locks are given back, at once.
Commit(t) ==
  /\ phase[t] \in {"inserted", "prepared"} /\ phase' = Set(phase, t, "committed")
  /\ shared' = Set(shared, t, None)
  /\ UNCHANGED <<chosen, position, nextPosition>>

\* It rolls back, or its session is killed. Its number is not given out again by that.
Abort(t) ==
  /\ phase[t] \in {"drawn", "inserted", "prepared"} /\ phase' = Set(phase, t, "aborted")
  /\ shared' = Set(shared, t, None) /\ chosen' = Set(chosen, t, None)
  /\ position' = Set(position, t, 0)
  /\ UNCHANGED nextPosition

OfWriter(step) == step /\ UNCHANGED <<cursor, relay, crashes>>
Writer ==
  \E t \in Txs : OfWriter(\/ Call(t) \/ Lock(t) \/ Draw(t) \/ Insert(t)
                          \/ Prepare(t) \/ Commit(t) \/ Abort(t))

\* Slots are numbered from this second on: 0 is the slot of this second, 1 that of the next.
Turned(s) == IF s = None THEN None ELSE (s + Slots - 1) % Slots
TurnedAll(S) == {Turned(s) : s \in S}
Tick ==
  /\ chosen' = [t \in Txs |-> Turned(chosen[t])] /\ shared' = [t \in Txs |-> Turned(shared[t])]
  /\ look' = [i \in 1..Len(look) |-> [look[i] EXCEPT !.began = Turned(@), !.asked = TurnedAll(@),
                                                     !.free = TurnedAll(@)]]
  /\ rounds' = [i \in 1..Len(rounds) |-> [rounds[i] EXCEPT !.left = TurnedAll(@)]]
  /\ earlier' = TurnedAll(earlier)
  /\ UNCHANGED <<phase, position, nextPosition, cursor, frontier, at, probe, page, fresh, next,
                 proven, delivered, crashes>>

Committed   == {t \in Txs : phase[t] = "committed"}
Visible     == {position[t] : t \in Committed}
LockedRows  == {position[t] : t \in {u \in Txs : phase[u] \in {"inserted", "prepared"}}}
LockedSlots == {shared[t] : t \in {u \in Txs : shared[u] # None}}

(***************************************************************************)
(* The relay. The holes that polls have missed before a save are of one    *)
(* round. A poll looks at the gate; once each slot was seen free in a look *)
(* that was sent after that save, it probes the holes of the round; if no  *)
(* row is locked there, the round is over. Only then does it read, and     *)
(* what it does not show of these holes is dead.                           *)
(***************************************************************************)
ReadsFirst == Mutation = "readsBeforeItLooks"
WantsLook == next # <<>> \/ rounds # <<>>
Over(r) == r.left = {}
OnTheWay(r) == ~Over(r)
HolesOf(s) == UNION {s[i].holes : i \in 1..Len(s)}
Without(s, found) == [i \in 1..Len(s) |-> [s[i] EXCEPT !.holes = @ \ found]]

\* Every save counts, whether holes are fresh or not. Its holes are of a round that begins with the
\* next look, if there is room, and not of one that has seen something already.
Save ==
  /\ at = "rest"
  /\ cursor' = [high |-> high, open |-> open] /\ fresh' = {}
  /\ LET before == IF next # <<>> THEN Head(next) ELSE [left |-> All, holes |-> {}]
         Joined(r) == [r EXCEPT !.holes = @ \union fresh]
     IN CASE Mutation = "joinsARoundOnTheWay" /\ rounds # <<>> ->
               /\ rounds' = [rounds EXCEPT ![Len(rounds)] = Joined(@)] /\ next' = next
          [] Mutation = "everySaveBeginsAnew" ->
               /\ rounds' = <<>>
               /\ next' = <<[Joined(before) EXCEPT !.holes = @ \union HolesOf(rounds)]>>
          [] OTHER -> rounds' = rounds /\ next' = <<Joined(before)>>
  /\ UNCHANGED <<server, frontier, poll, proven, earlier, delivered, crashes>>

\* The statement's time says which slots are left out: that of this second and that of the next.
LookBegins ==
  /\ at = "rest" /\ WantsLook /\ ReadsFirst = (page # <<>>) /\ at' = "look"
  /\ LET this == IF Spares /\ Mutation # "looksAtThisSecond" THEN {0} ELSE {}
         coming == IF Spares /\ Mutation # "looksAtTheNextSecond" THEN {1} ELSE {}
     IN look' = <<[began |-> 0, asked |-> All \ (this \union coming), free |-> {},
                   probed |-> Mutation = "probesBeforeItLooks" /\ open \intersect LockedRows = {}]>>
  /\ UNCHANGED <<server, cursor, frontier, probe, page, proof, delivered, crashes>>

\* FOR UPDATE SKIP LOCKED, row by row: it takes what nobody holds, and keeps it until it is over.
LookAt(s) ==
  /\ at = "look" /\ s \in Head(look).asked
  /\ LET isFree == s \notin LockedSlots \/ Mutation = "lockedTakenForFree"
     IN look' = <<[Head(look) EXCEPT !.asked = @ \ {s},
                                      !.free = IF isFree THEN @ \union {s} ELSE @]>>
  /\ UNCHANGED <<server, cursor, frontier, at, probe, page, proof, delivered, crashes>>

\* The rounds whose slots were all seen free are over.
RoundsEnd(all) ==
  LET holes == HolesOf(SelectSeq(all, Over))
      atOnce == Mutation = "droppedWithoutNextPoll"
  IN /\ rounds' = SelectSeq(all, OnTheWay)
     /\ proven' = IF atOnce THEN proven ELSE proven \union holes
     /\ open' = IF atOnce THEN open \ holes ELSE open
     /\ at' = IF ReadsFirst THEN "rest" ELSE "read"

LookEnds ==
  /\ at = "look" /\ Head(look).asked = {} /\ look' = <<>>
  /\ LET free == Head(look).free
         begins == next # <<>> /\ Len(rounds) < RoundsMax
         new == IF begins THEN <<[Head(next) EXCEPT !.left = @ \ earlier]>> ELSE <<>>
         Seen(r) == [r EXCEPT !.left = IF Mutation # "allInOneLook" THEN @ \ free
                                       ELSE IF All \subseteq free THEN {} ELSE All]
         all == LET s == rounds \o new IN [i \in 1..Len(s) |-> Seen(s[i])]
         toProbe == IF Mutation = "noProbe" THEN {} ELSE HolesOf(SelectSeq(all, Over))
     IN /\ next' = IF begins THEN <<>> ELSE next
        /\ earlier' = IF Mutation = "looksFromBeforeTheSave" THEN earlier \union free ELSE {}
        /\ IF Mutation = "probesBeforeItLooks"
           THEN /\ probe' = {}
                /\ IF Head(look).probed THEN RoundsEnd(all)
                   ELSE rounds' = all /\ at' = "read" /\ UNCHANGED <<open, proven>>
           ELSE IF toProbe = {} THEN RoundsEnd(all) /\ probe' = {}
           ELSE rounds' = all /\ at' = "probe" /\ probe' = toProbe /\ UNCHANGED <<open, proven>>
  /\ UNCHANGED <<server, cursor, high, page, fresh, delivered, crashes>>

\* A locking read that does not wait. If one row is locked, all these rounds go on. The product probes
\* all that is open up to where the save had read: these holes, and after a kill perhaps more.
Probe(p) ==
  /\ at = "probe" /\ p \in probe
  /\ IF p \in LockedRows
     THEN /\ probe' = {} /\ at' = (IF ReadsFirst THEN "rest" ELSE "read")
          /\ UNCHANGED <<open, rounds, proven>>
     ELSE /\ probe' = probe \ {p}
          /\ IF probe' = {} THEN RoundsEnd(rounds) ELSE UNCHANGED <<open, rounds, proven, at>>
  /\ UNCHANGED <<server, cursor, high, look, page, fresh, next, earlier, delivered, crashes>>

\* One statement, so one snapshot: what is above high, and all that is open. It may be used later.
Read ==
  /\ \/ at = "read"
     \/ at = "rest" /\ page = <<>> /\ (ReadsFirst \/ ~WantsLook)
  /\ at' = "rest"
  /\ page' = <<[to |-> Max({high} \union Visible),
                found |-> {p \in Visible : p > high \/ p \in open}]>>
  /\ UNCHANGED <<server, cursor, frontier, look, probe, proof, delivered, crashes>>

UsePage ==
  /\ at = "rest" /\ page # <<>> /\ page' = <<>>
  /\ LET found == Head(page).found
         passed == high + 1 .. Head(page).to
         dead == proven \ found
         known == HolesOf(rounds) \union HolesOf(next) \union proven
     IN /\ high' = Head(page).to
        /\ open' = (open \union passed) \ (found \union dead)
        /\ delivered' = delivered \union {t \in Committed : position[t] \in found}
        /\ fresh' = (open \union passed) \ (found \union known)
        /\ next' = Without(next, found) /\ rounds' = Without(rounds, found) /\ proven' = {}
  /\ UNCHANGED <<server, cursor, at, look, probe, earlier, crashes>>

Poll == LookBegins \/ (\E s \in All : LookAt(s)) \/ LookEnds
        \/ (\E p \in probe : Probe(p)) \/ Read \/ UsePage

(***************************************************************************)
(* The server is killed and starts again. What had not ended is gone, and  *)
(* so may be a commit that no save has settled, since it is visible before *)
(* it is on the disk; both may be tried again. What is prepared stays,     *)
(* with its row locked, and without its lock at the gate. Numbers above    *)
(* all rows that are there may be given out again. The relay notices that  *)
(* the server was started again and loads its cursor; of the gate it       *)
(* keeps what it has seen.                                                 *)
(***************************************************************************)
Settled(c, p) == p <= c.high /\ p \notin c.open

Crash ==
  /\ crashes < Crashes /\ crashes' = crashes + 1
  /\ \E lost \in SUBSET {t \in Committed : ~Settled(cursor, position[t])} :
     LET stays == {t \in Txs : phase[t] \in {"prepared", "committed", "aborted"}} \ lost
         lowest == Max({0} \union {position[t] : t \in stays}) + 1
     IN /\ phase' = [t \in Txs |-> IF t \in stays THEN phase[t] ELSE "idle"]
        /\ position' = [t \in Txs |-> IF t \in stays THEN position[t] ELSE 0]
        /\ nextPosition' \in lowest..nextPosition
        /\ delivered' = delivered \intersect stays
  /\ chosen' = [t \in Txs |-> None] /\ shared' = [t \in Txs |-> None]
  /\ at' = "rest" /\ look' = <<>> /\ probe' = {} /\ page' = <<>>
  /\ IF Mutation = "keepsItsFrontier" THEN UNCHANGED <<frontier, fresh, next, rounds, proven>>
     ELSE /\ high' = cursor.high /\ open' = cursor.open /\ fresh' = {} /\ proven' = {}
          /\ next' = Without(next, HolesOf(next)) /\ rounds' = Without(rounds, HolesOf(rounds))
  /\ UNCHANGED <<cursor, earlier>>

Next == Writer \/ Tick \/ Save \/ Poll \/ Crash
Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What is promised.                                                       *)
(***************************************************************************)
\* What is settled, saved or in memory, was found; what may still commit is not settled.
P1_NoLoss ==
  \A t \in Txs : \A c \in {cursor, [high |-> high, open |-> open]} :
    position[t] # 0 /\ Settled(c, position[t]) => phase[t] = "committed" /\ t \in delivered

\* A statement that comes to the gate in the second in which it began does not wait for a relay,
\* whose look is over before the second after next.
Writers_DoNotWait ==
  look # <<>> /\ Head(look).began \in {0, Turned(0)}
  => \A t \in Txs : chosen[t] = 0 => 0 \notin TakenByRelay

(***************************************************************************)
(* Liveness: writers that have come to the gate end. Seconds end between   *)
(* two polls, and each slot that is still awaited is asked for in turn.    *)
(***************************************************************************)
FairNext == Next /\ (Tick => at = "rest" /\ page = <<>>)
LooksForOneLeft ==
  LookBegins /\ \E i \in 1..Len(rounds) : rounds[i].left \intersect Head(look').asked # {}
Fairness ==
  /\ \A t \in Txs : SF_vars(OfWriter(Lock(t) \/ Draw(t) \/ Insert(t) \/ Commit(t) \/ Abort(t)))
  /\ WF_vars(Tick) /\ SF_vars(Save)
  /\ SF_vars(LookBegins) /\ SF_vars(LooksForOneLeft) /\ WF_vars(\E s \in All : LookAt(s))
  /\ WF_vars(LookEnds) /\ WF_vars(\E p \in probe : Probe(p)) /\ WF_vars(Read) /\ WF_vars(UsePage)
FairSpec == Init /\ [][FairNext]_vars /\ Fairness

P7_HolesEnd == \A p \in 1..Cardinality(Txs) : p \in cursor.open ~> p \notin cursor.open

(***************************************************************************)
(* What must be reachable, so must be violated.                            *)
(***************************************************************************)
HoleIsDropped == \E p \in 1..cursor.high : p \notin cursor.open /\ \A t \in Txs : position[t] # p
FoundByTheProbeAlone ==
  at = "probe" /\ \E t \in Txs : position[t] \in probe /\ phase[t] = "prepared" /\ shared[t] = None

Never_HoleDropped == ~HoleIsDropped
Never_DroppedBesideAWriter ==   \* one that came later still holds a slot
  ~(HoleIsDropped /\ \E t \in Txs : phase[t] = "inserted" /\ shared[t] # None)
Never_FoundByTheProbe == ~FoundByTheProbeAlone
Never_FoundAfterACrash == ~(FoundByTheProbeAlone /\ crashes > 0)
Never_FilledBeforeTheLook == page = <<>> \/ proven \intersect Head(page).found = {}
Never_RoundWaits == rounds = <<>> \/ HolesOf(next) = {}
=============================================================================
