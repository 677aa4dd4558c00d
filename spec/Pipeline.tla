------------------------------ MODULE Pipeline ------------------------------
(***************************************************************************)
(* One key of a pipelined route: several of its messages are on their way  *)
(* at once. The publisher keeps their order, and none among its answers: a *)
(* message may be rejected before it is known what became of those before  *)
(* it, whose fate may also stay unknown. Says what P1 (no loss), P3        *)
(* (order), P4 (bounded duplicates) and P7 (liveness) say of that part.    *)
(*                                                                         *)
(* In the product: io.outledger.relay.route (RouteDispatcher,              *)
(* OutcomeOrder, RouteClient, KeyBlocks, ParkedRows, RouteParking,         *)
(* ParkedWork).                                                            *)
(*                                                                         *)
(* Dead letters, operators and retention are the matter of Parking.tla.    *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  Last,        \* the messages are 1..Last
  Rejections, Crashes, Outages,   \* how many of each there are at most
  Mutation     \* "none", or the name of what is broken on purpose

VARIABLES
  saved,       \* of a message, what the database has: "open", "retrying" or "held" rows, "done"
  now,         \* what the owner has: "waiting", "flight", "early" (its rejection waits), or as saved
  flight,      \* what is on its way, in the order in which it was sent
  answer,      \* of what is on its way: "none", "taken" or "rejected" by the broker
  delivered,
  excused,     \* pairs of which the later may come first: the one exception to the order
  left         \* of [rejections, crashes, outages]: how many may still come

vars == <<saved, now, flight, answer, delivered, excused, left>>

All == 1..Last
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
InFlight == {flight[i] : i \in 1..Len(flight)}
Unanswered == SelectSeq(flight, LAMBDA p : answer[p] = "none")
Parked == {"retrying", "held"}

\* A delivery comes from its parked row where there is one; and the key is blocked by the rows that
\* the owner knows of, until the save that removes the last one.
IsRow(p) == saved[p] \in Parked
IsBlocked == \E p \in All : now[p] \in Parked \/ IsRow(p)
Waits == \E p \in All : now[p] = "retrying"
PendingSave == \E p \in All : now[p] \in Parked \union {"done"} /\ saved[p] # now[p]

\* Rejections that wait for nothing any more. They are parked before anything else is done.
HasEarlier(p) == \E q \in InFlight : q < p
Ready == {p \in All : now[p] = "early" /\ ~HasEarlier(p)}

Init ==
  /\ saved = [p \in All |-> "open"] /\ now = [p \in All |-> "waiting"]
  /\ flight = <<>> /\ answer = [p \in All |-> "none"]
  /\ delivered = {} /\ excused = {}
  /\ left = [rejections |-> Rejections, crashes |-> Crashes, outages |-> Outages]

\* What follows a rejection that waits is kept back.
IsKeptBack(p) == Mutation # "keyGoesOn" /\ \E q \in 1..p - 1 : now[q] = "early"
ToSend == {p \in All : now[p] = "waiting" /\ ~IsKeptBack(p)}

\* The next one is sent, unless it must be held behind the key's rows, or stay one of them.
Send ==
  /\ ToSend # {} /\ Ready = {}
  /\ LET p == Min(ToSend)
         held == IF IsRow(p)
                 THEN saved[p] = "held" /\ Waits /\ Mutation # "heldDoesNotStay"
                 ELSE IsBlocked
     IN IF held
        THEN /\ now' = [now EXCEPT ![p] = "held"]
             /\ UNCHANGED <<flight, answer, excused>>
        ELSE /\ now' = [now EXCEPT ![p] = "flight"]
             /\ flight' = Append(flight, p)
             /\ answer' = [answer EXCEPT ![p] = "none"]
             /\ excused' = excused \union
                  {<<q, p>> : q \in {r \in InFlight : r < p /\ answer[r] = "rejected"}}
  /\ UNCHANGED <<saved, delivered, left>>

\* The broker takes messages in the order in which they were sent.
Take ==
  /\ Unanswered # <<>>
  /\ answer' = [answer EXCEPT ![Head(Unanswered)] = "taken"]
  /\ delivered' = delivered \union {Head(Unanswered)}
  /\ UNCHANGED <<saved, now, flight, excused, left>>

\* It rejects one in its turn, or the client does before it is sent at all. What was handed over
\* behind it by then is not called back, and may come first, even if it is rejected itself.
Reject ==
  /\ left.rejections > 0 /\ left' = [left EXCEPT !.rejections = @ - 1]
  /\ \E p \in {q \in InFlight : answer[q] = "none"} :
       /\ answer' = [answer EXCEPT ![p] = "rejected"]
       /\ excused' = excused \union
            {<<p, q>> : q \in {r \in p + 1..Last : now[r] \in {"flight", "early"}}}
  /\ UNCHANGED <<saved, now, flight, delivered>>

\* Of two rows of the key that would wait for times of their own, one is held.
ParkedAs == IF Waits THEN "held" ELSE "retrying"
\* The owner hears of an answer; of any.
Hear(p) ==
  /\ p \in InFlight /\ answer[p] # "none"
  /\ flight' = SelectSeq(flight, LAMBDA q : q # p)
  /\ now' = [now EXCEPT ![p] =
       CASE answer[p] = "taken" -> "done"
         [] HasEarlier(p) /\ Mutation # "parkedAtOnce" -> "early"
         [] OTHER -> ParkedAs]
  /\ UNCHANGED <<saved, answer, delivered, excused, left>>

\* The lowest is parked first.
Settle ==
  /\ Ready # {} /\ Mutation # "neverSettled"
  /\ now' = [now EXCEPT ![Min(Ready)] = ParkedAs]
  /\ UNCHANGED <<saved, flight, answer, delivered, excused, left>>

\* Of what is on its way the first few arrive, and nobody hears of it.
Fate ==
  /\ \E n \in 0..Len(Unanswered) :
       delivered' = delivered \union {Unanswered[i] : i \in 1..n}
  /\ flight' = <<>>

\* Everything without an answer is sent again, and the rejections that wait behind it with it.
Outage ==
  /\ left.outages > 0 /\ left' = [left EXCEPT !.outages = @ - 1]
  /\ flight # <<>> /\ Ready = {} /\ Fate
  /\ now' = [p \in All |->
       CASE now[p] = "flight" -> "waiting"
         [] now[p] = "early" -> IF Mutation # "parkedInAnOutage" THEN "waiting"
                                ELSE IF Waits THEN "held" ELSE "retrying"
         [] OTHER -> now[p]]
  /\ UNCHANGED <<saved, answer, excused>>

Save ==
  /\ PendingSave /\ Ready = {}
  /\ saved' = [p \in All |->
       CASE now[p] \in Parked \union {"done"} -> now[p]
         [] now[p] = "flight" /\ Mutation = "settledWhenSent" -> "done"
         [] OTHER -> saved[p]]
  /\ UNCHANGED <<now, flight, answer, delivered, excused, left>>

\* A row whose time has come, or all held ones where none waits, none is being tried, and no earlier
\* message is on its way that may have to be sent again.
BringBack ==
  /\ ~PendingSave /\ ToSend = {} /\ Ready = {}
  /\ \/ \E p \in All : now[p] = "retrying" /\ now' = [now EXCEPT ![p] = "waiting"]
     \/ /\ ~Waits /\ \A p \in All : IsRow(p) => now[p] = "held"
        /\ \E p \in All : now[p] = "held"
        /\ InFlight = {} \/ Mutation = "triedBesideAnEarlier"
        /\ now' = [p \in All |-> IF now[p] = "held" THEN "waiting" ELSE now[p]]
  /\ UNCHANGED <<saved, flight, answer, delivered, excused, left>>

\* The owner dies or is in doubt; the next one loads what was saved.
Crash ==
  /\ left.crashes > 0 /\ left' = [left EXCEPT !.crashes = @ - 1] /\ Fate
  /\ now' = [p \in All |-> IF saved[p] = "open" THEN "waiting" ELSE saved[p]]
  /\ UNCHANGED <<saved, answer, excused>>

Next == Send \/ Take \/ Reject \/ (\E p \in All : Hear(p)) \/ Settle \/ Outage \/ Save
        \/ BringBack \/ Crash
Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What is promised.                                                       *)
(***************************************************************************)
\* Each message is open or parked until it is delivered.
P1_NoLoss == \A p \in All : saved[p] = "done" => p \in delivered

\* A message is delivered when those before it were, but for one that was rejected after this one
\* was handed over.
P3_Order ==
  \A p, q \in All : p < q /\ q \in delivered => p \in delivered \/ <<p, q>> \in excused

\* Nothing delivered is about to be sent again but after a crash or an outage.
P4_BoundedDuplicates ==
  left.crashes = Crashes /\ left.outages = Outages
    => \A p \in delivered : now[p] \in {"flight", "done"}

FairSpec ==
  /\ Spec /\ WF_vars(Send) /\ WF_vars(Take) /\ WF_vars(Settle) /\ WF_vars(Save)
  /\ WF_vars(BringBack) /\ \A p \in All : WF_vars(Hear(p))
P7_BacklogDrains == <>[](\A p \in All : saved[p] = "done")

(***************************************************************************)
(* What must be reachable: each of these must be violated.                 *)
(***************************************************************************)
Never_EarlyAndParked == ~(Ready # {} /\ 1 \in delivered)
Never_KeptBack == ~(\E p \in All : now[p] = "waiting" /\ IsKeptBack(p))
Never_Overtaken == P3_Order => \A p, q \in All : p < q /\ q \in delivered => p \in delivered
Never_AllDelivered == ~(\A p \in All : saved[p] = "done" /\ left.rejections = 0)
=============================================================================
