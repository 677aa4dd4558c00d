------------------------------ MODULE Parking -------------------------------
(***************************************************************************)
(* One key of one route that takes its messages one at a time: rejected    *)
(* messages are parked, those behind them are held, both are brought back. *)
(* The owner may crash at any point, operators ask for retries and         *)
(* discards, retention purges the ledger. Says what P1 (no loss), P3       *)
(* (order), P4 (bounded duplicates) and P7 (liveness) say of that part.    *)
(*                                                                         *)
(* In the product: io.outledger.relay.route (RouteDispatcher, KeyGate,     *)
(* KeyRows, ParkedRows, RouteParking, ParkedWork, PendingSave), and of     *)
(* io.outledger.postgresql the statements of ParkedReads, ParkedWrites and *)
(* MessagePurge.                                                           *)
(*                                                                         *)
(* The ledger's messages are all there from the beginning; what comes late *)
(* is the matter of Ledger.tla.                                            *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  Last,        \* the messages are 1..Last
  DeadBlocks,  \* the policy: whether a dead letter's key stays blocked, or goes on
  Rejections, Crashes, Outages, Requests,   \* how many of each there are at most
  Mutation     \* "none", or the name of what is broken on purpose

VARIABLES
  ledger,      \* the positions that retention has left
  cursor,      \* [high, open]
  parked,      \* of a position: [state, blocks, request]; state "none" where it is not parked
  frontier,    \* the owner's: [high, open]
  route,        \* the owner's route: a record, see Fresh
  trying,      \* positions of rows that were swept up and not saved since (ParkedWork.trying)
  delivered, givenUp, discarded,   \* what became of messages
  left         \* of [rejections, crashes, outages, requests]: how many may still come

vars == <<ledger, cursor, parked, frontier, route, trying, delivered, givenUp, discarded, left>>

All == 1..Last
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Items(s) == {s[i] : i \in 1..Len(s)}
Ascending(S) ==
  [i \in 1..Cardinality(S) |-> CHOOSE x \in S : Cardinality({y \in S : y < x}) = i - 1]
Lowest(f) == IF f.open = {} THEN f.high + 1 ELSE Min(f.open)

NotParked == [state |-> "none", blocks |-> FALSE, request |-> "none"]
Row(state, blocks) == [state |-> state, blocks |-> blocks, request |-> "none"]
Waits(row) == row.state \in {"retrying", "dead"}

\* A delivery: a position, and whether it comes from its parked row. 0: none.
From(p, row) == [p |-> p, row |-> row]
NoDelivery == From(0, FALSE)

(***************************************************************************)
(* KeyRows: what the owner knows of the key's parked rows. They may be     *)
(* drained where none is tried and none waits for a time of its own.       *)
(***************************************************************************)
NoBlock == [present |-> FALSE, rows |-> 0, trying |-> 0, waiting |-> 0, stayed |-> FALSE,
            releasable |-> FALSE]
Review(b) ==
  [b EXCEPT !.present = TRUE,
            !.stayed = b.stayed /\ b.trying > 0,
            !.releasable = b.rows > 0 /\ b.trying = 0
                          /\ (b.waiting <= 0 \/ Mutation = "releasedBeforeItsPredecessor")]
One(yes) == IF yes THEN 1 ELSE 0
Added(b, waits) == Review([b EXCEPT !.rows = @ + 1, !.waiting = @ + One(waits)])
Trying(b, waited) ==
  Review([b EXCEPT !.stayed = @ \/ (waited /\ b.trying > 0), !.trying = @ + 1,
                   !.waiting = @ - One(waited)])
ParkedAgain(b, waits) == Review([b EXCEPT !.trying = @ - 1, !.waiting = @ + One(waits)])
Stayed(b) == Review([b EXCEPT !.trying = @ - 1, !.stayed = TRUE])
Removed(b) == Review([b EXCEPT !.trying = @ - 1, !.rows = @ - 1])
Loaded(rows) ==
  LET blocking == {p \in All : rows[p].blocks}
      waiting == {p \in blocking : Waits(rows[p])}
  IN IF blocking = {} \/ Mutation = "blockedKeysForgotten" THEN NoBlock
     ELSE Review([NoBlock EXCEPT !.rows = Cardinality(blocking),
                                 !.waiting = Cardinality(waiting)])

(***************************************************************************)
(* The route. Messages wait, then stand in line before the gate, then one  *)
(* is in flight. "settled" and "changes" are what the next save writes.    *)
(***************************************************************************)
Unchanged == [p \in All |-> NotParked]
Fresh(rows) ==
  [waiting |-> <<>>, line |-> <<>>, flight |-> NoDelivery, block |-> Loaded(rows),
   settled |-> {}, changed |-> {}, changes |-> Unchanged]

Change(l, p, row) == [l EXCEPT !.changed = @ \union {p}, !.changes[p] = row]
Park(l, p, row) == [Change(l, p, row) EXCEPT !.settled = @ \union {p}]
Hold(l, p) == [Park(l, p, Row("held", TRUE)) EXCEPT !.block = Added(l.block, FALSE)]

\* The next one goes out, unless it must be held behind the key's rows, or stay one of them.
RECURSIVE ForwardOrNext(_, _)
ForwardOrNext(l, d) ==
  LET held == ~d.row /\ l.block.present
      stays == /\ d.row /\ parked[d.p].state = "held"
               /\ l.block.waiting > 0 \/ l.block.stayed
               /\ Mutation \notin {"heldDoesNotStay", "releasedBeforeItsPredecessor"}
      stopped == IF held THEN Hold(l, d.p) ELSE [l EXCEPT !.block = Stayed(l.block)]
  IN IF ~held /\ ~stays THEN [l EXCEPT !.flight = d]
     ELSE IF l.line = <<>> THEN [stopped EXCEPT !.flight = NoDelivery]
     ELSE ForwardOrNext([stopped EXCEPT !.line = Tail(l.line)], Head(l.line))

Leave(l) ==
  IF l.line = <<>> THEN [l EXCEPT !.flight = NoDelivery]
  ELSE ForwardOrNext([l EXCEPT !.line = Tail(l.line)], Head(l.line))

InRoute == Items(route.waiting) \union Items(route.line) \union ({route.flight} \ {NoDelivery})
PendingSave == route.settled # {} \/ route.changed # {}
Unsettled == {d.p : d \in {e \in InRoute : ~e.row}} \union route.settled

Init ==
  /\ ledger = All /\ cursor = [high |-> 0, open |-> {}] /\ frontier = cursor
  /\ parked = [p \in All |-> NotParked] /\ route = Fresh(parked) /\ trying = {}
  /\ delivered = {} /\ givenUp = {} /\ discarded = {}
  /\ left = [rejections |-> Rejections, crashes |-> Crashes, outages |-> Outages,
             requests |-> Requests]

Poll ==
  /\ route.waiting = <<>>
  /\ \E to \in frontier.high..Last :
       LET open == frontier.open \union (frontier.high + 1 .. to)
           found == (open \ Unsettled) \intersect ledger
       IN /\ found # {}
          /\ frontier' = [high |-> to, open |-> open]
          /\ route' = [route EXCEPT !.waiting =
               [i \in 1..Cardinality(found) |-> From(Ascending(found)[i], FALSE)]]
  /\ UNCHANGED <<ledger, cursor, parked, trying, delivered, givenUp, discarded, left>>

Admit ==
  /\ route.waiting # <<>>
  /\ LET d == Head(route.waiting)
         l == [route EXCEPT !.waiting = Tail(@)]
     IN route' = IF l.flight # NoDelivery THEN [l EXCEPT !.line = Append(@, d)]
                ELSE ForwardOrNext(l, d)
  /\ UNCHANGED <<ledger, cursor, parked, frontier, trying, delivered, givenUp, discarded, left>>

Published ==
  /\ route.flight # NoDelivery
  /\ LET d == route.flight
         l == IF ~d.row THEN [route EXCEPT !.settled = @ \union {d.p}]
              ELSE [Change(route, d.p, NotParked) EXCEPT
                      !.block = IF parked[d.p].blocks THEN Removed(@) ELSE @]
     IN /\ route' = Leave(l)
        /\ delivered' = delivered \union {d.p}
  /\ UNCHANGED <<ledger, cursor, parked, frontier, trying, givenUp, discarded, left>>

\* It is tried again later (of two rows of the key that would wait, one is held), or is dead.
Rejected ==
  /\ route.flight # NoDelivery /\ left.rejections > 0
  /\ \E dead \in BOOLEAN :
       LET d == route.flight
           row == parked[d.p]
           waits == dead \/ route.block.waiting <= 0
           again == Row(IF dead THEN "dead" ELSE IF waits THEN "retrying" ELSE "held",
                        IF d.row THEN row.blocks /\ (DeadBlocks \/ ~dead)
                                 ELSE DeadBlocks \/ ~dead)
           l == IF d.row THEN Change(route, d.p, again) ELSE Park(route, d.p, again)
           block == CASE ~d.row /\ again.blocks -> Added(l.block, waits)
                      [] d.row /\ again.blocks -> ParkedAgain(l.block, waits)
                      [] d.row /\ ~again.blocks /\ row.blocks -> Removed(l.block)
                      [] OTHER -> l.block
       IN /\ route' = Leave([l EXCEPT !.block = block])
          /\ givenUp' = IF dead THEN givenUp \union {d.p} ELSE givenUp
  /\ left' = [left EXCEPT !.rejections = @ - 1]
  /\ UNCHANGED <<ledger, cursor, parked, frontier, trying, delivered, discarded>>

\* Nobody knows what became of what was in flight.
Fate == \E arrived \in SUBSET ({route.flight.p} \ {0}) : delivered' = delivered \union arrived

Outage ==
  /\ route.flight # NoDelivery /\ left.outages > 0 /\ Fate
  /\ LET all == InRoute
         at(i) == CHOOSE d \in all : Cardinality({e \in all : e.p < d.p}) = i - 1
     IN route' = [route EXCEPT !.waiting = [i \in 1..Cardinality(all) |-> at(i)],
                             !.line = <<>>, !.flight = NoDelivery]
  /\ left' = [left EXCEPT !.outages = @ - 1]
  /\ UNCHANGED <<ledger, cursor, parked, frontier, trying, givenUp, discarded>>

\* The cursor's row and the changes of parked rows, in one transaction.
Save ==
  /\ PendingSave
  /\ frontier' = [frontier EXCEPT !.open = @ \ route.settled]
  /\ cursor' = frontier'
  /\ LET apart == Mutation = "parkedApart" /\ route.settled # {}
         block == IF route.block.rows <= 0 /\ route.block.trying = 0 THEN NoBlock ELSE route.block
     IN /\ parked' = [p \in All |-> IF p \in route.changed /\ ~apart
                                    THEN route.changes[p] ELSE parked[p]]
        /\ trying' = IF apart \/ Mutation = "sweptUpOnce" THEN trying ELSE trying \ route.changed
        /\ route' = IF apart THEN [route EXCEPT !.settled = {}]
                   ELSE [route EXCEPT !.settled = {}, !.changed = {}, !.changes = Unchanged,
                                     !.block = block]
  /\ UNCHANGED <<ledger, delivered, givenUp, discarded, left>>

\* Rows whose time has come are tried again: the held ones of a key where nothing waits, and those
\* swept up: dead letters that somebody wants tried again, and retrying ones that are due.
RECURSIVE TryAll(_, _)
TryAll(l, s) ==
  IF s = <<>> THEN l
  ELSE LET row == parked[Head(s)]
           block == IF row.blocks THEN Trying(l.block, row.state # "held") ELSE l.block
       IN TryAll([l EXCEPT !.waiting = Append(@, From(Head(s), TRUE)), !.block = block], Tail(s))

BringBack ==
  /\ ~PendingSave \/ Mutation = "bringsBackTheUnsaved"
  /\ route.waiting = <<>> /\ frontier.open \subseteq Unsettled
  /\ LET held == {p \in All : parked[p].state = "held"}
         drained == IF route.block.releasable THEN Ascending(held) ELSE <<>>
         asked == {p \in All : parked[p].request = "retry"} \ trying
         retrying == {p \in All : parked[p].state = "retrying"} \ trying
         drainedRoute == TryAll([route EXCEPT !.block.releasable = FALSE], drained)
     IN \E due \in SUBSET retrying :
          /\ route' = TryAll(drainedRoute, Ascending(asked \union due))
          /\ trying' = trying \union asked \union due
  /\ UNCHANGED <<ledger, cursor, parked, frontier, delivered, givenUp, discarded, left>>

Discard ==
  /\ ~PendingSave /\ frontier.open \subseteq Unsettled
  /\ \E p \in All \ trying :
       /\ parked[p].request = "discard" /\ parked[p].state = "dead"
       /\ trying' = trying \union {p} /\ discarded' = discarded \union {p}
       /\ route' = [Change(route, p, NotParked) EXCEPT
                     !.block = IF parked[p].blocks THEN Removed(Trying(@, TRUE)) ELSE @]
  /\ UNCHANGED <<ledger, cursor, parked, frontier, delivered, givenUp, left>>

Request ==
  /\ left.requests > 0 /\ left' = [left EXCEPT !.requests = @ - 1]
  /\ \E p \in All, what \in {"retry", "discard"} :
       /\ parked[p].state = "dead" \/ (parked[p].state = "retrying" /\ what = "retry")
       /\ parked' = [parked EXCEPT ![p].request = what]
  /\ UNCHANGED <<ledger, cursor, frontier, route, trying, delivered, givenUp, discarded>>

\* The owner dies or is in doubt; the next one loads the newest row, and the blocked keys.
Crash ==
  /\ left.crashes > 0 /\ left' = [left EXCEPT !.crashes = @ - 1] /\ Fate
  /\ frontier' = cursor /\ route' = Fresh(parked) /\ trying' = {}
  /\ UNCHANGED <<ledger, cursor, parked, givenUp, discarded>>

\* Retention: below the lowest open position. A parked row carries its whole message.
Purge ==
  /\ LET to == IF Mutation = "purgesToHigh" THEN cursor.high ELSE Lowest(cursor) - 1
     IN ledger' = {p \in ledger : p > to}
  /\ UNCHANGED <<cursor, parked, frontier, route, trying, delivered, givenUp, discarded, left>>

Next == Poll \/ Admit \/ Published \/ Rejected \/ Outage \/ Save \/ BringBack \/ Discard
        \/ Request \/ Crash \/ Purge
Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What is promised.                                                       *)
(***************************************************************************)
\* Each message can still be read, or is parked with all that is needed to publish it, or was
\* delivered, or an operator threw it away.
P1_NoLoss ==
  \A p \in All :
    \/ p \in delivered \union discarded
    \/ (p > cursor.high \/ p \in cursor.open) /\ p \in ledger
    \/ parked[p].state # "none" /\ (Mutation = "parkedByReference" => p \in ledger)

\* A message is delivered when those before it were, or were given up: under the default policy a
\* dead letter's key goes on without it, under the other one only a discard ends the waiting.
P3_Order ==
  \A p, q \in All : p < q /\ q \in delivered
    => p \in delivered \union (IF DeadBlocks THEN discarded ELSE givenUp)

\* Nothing delivered is about to be sent again but after a crash or an outage, and nothing twice.
P4_BoundedDuplicates ==
  /\ \A d, e \in InRoute : d.p = e.p => d = e
  /\ Cardinality(InRoute) = Len(route.waiting) + Len(route.line) + One(route.flight # NoDelivery)
  /\ left.crashes = Crashes /\ left.outages = Outages => \A d \in InRoute : d.p \notin delivered

FairSpec ==
  /\ Spec /\ WF_vars(Poll) /\ WF_vars(Admit) /\ WF_vars(Published) /\ WF_vars(Save)
  /\ WF_vars(BringBack) /\ WF_vars(Discard)
  /\ \A p \in All : WF_vars(BringBack /\ p \in trying' \ trying)
P7_BacklogDrains ==
  \A p \in All : <>[](p \in delivered \union discarded \union givenUp \/
                      (DeadBlocks /\ \E q \in 1..p : parked[q].state = "dead"))
P7_ParkedEnd == \A p \in All : <>[](parked[p].state \in {"none", "dead"} \/ DeadBlocks)

(***************************************************************************)
(* What must be reachable: each of these must be violated.                 *)
(***************************************************************************)
Never_ParkedAndReleased == ~(\E p \in All : p \in trying /\ route.changed = {p} /\ p \in delivered)
Never_HeldAndReleased ==
  ~(\E d \in InRoute : d = route.flight /\ d.row /\ parked[d.p].state = "held")
Never_DeadAndReleased == ~(\E p \in givenUp : p \in delivered)
Never_AllDeliveredAndPurged == ~(delivered = All /\ ledger = {})
Never_ParkedAndPurged == ~(\E p \in All : parked[p].state = "retrying" /\ p \notin ledger)
Never_LoadedWithRows == ~(left.crashes < Crashes /\ route.block.present /\ InRoute # {})
=============================================================================
