------------------------------- MODULE Lease --------------------------------
(***************************************************************************)
(* The cursor as a log of rows, its fence, and the lease. Relays come, own *)
(* the cursor, hang for as long as they like at any point, and go; their   *)
(* statements may outlive them in the server. Says what P6 (fencing) says, *)
(* and P7 (liveness) of a take-over.                                       *)
(*                                                                         *)
(* In the product: io.outledger.relay (Relay, LeaseWatcher, LeaseClock,    *)
(* ActiveRelay), and of io.outledger.postgresql the statements of TakeOver,*)
(* CursorSave and CursorPurge.                                             *)
(*                                                                         *)
(* What a row says about messages is left to Ledger.tla. What that module  *)
(* relies on is shown here: a row comes only from who follows on the       *)
(* newest, and parked rows stand or fall with their save's row.            *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
  Relays,     \* 1..k: the incarnations, for each start of a relay has a number of its own
  Restarted,  \* those that are the next start of the relay whose number is one less
  Lease,      \* how long a lease is, in ticks
  Margin,     \* by how much an owner's own deadline is shorter
  SavesTo,    \* no save beyond this row, so that the states are finite; take-overs go on
  Clock,      \* the database's: "runs", "stands" still for ever, or says "anything"
  Mutation    \* "none", or the name of what is broken on purpose

VARIABLES
  \* The database.
  rows,       \* the cursor's: [n, owner, taken, released]
  parkedWith, \* [n, owner] of the last transaction that changed parked rows
  leaseLeft,  \* the newest row's lease by the database's clock; 0: lapsed
  \* The running statement of each relay: what it does, how far the server is, and the row it
  \* follows on: [does, at, n, owner].
  statement,
  \* A relay's memory.
  life,       \* standby, owner, leaving (hands over), gone
  watched,    \* as a standby: n of the row it watches, and how long it has to go on watching
  watchLeft,
  newest,     \* as an owner: n of its newest row
  deadline,   \* as an owner: how long it may publish, by its own clock
  asked,      \* the deadline that its running statement will give it
  loaded      \* as a standby that asks for the lease: what it has loaded of the parked rows

database == <<rows, parkedWith, leaseLeft>>
standby  == <<watched, watchLeft>>
owner    == <<newest, deadline, asked, loaded>>
vars     == <<database, statement, life, standby, owner>>

None      == -1
Nothing   == [does |-> "nothing", at |-> "rest", n |-> None, owner |-> None]
NotLoaded == [n |-> None, owner |-> None]
Newest(R) == CHOOSE r \in R : \A s \in R : s.n <= r.n
Former(r) == IF r \in Restarted THEN r - 1 ELSE None
Set(f, r, x) == [f EXCEPT ![r] = x]

Init ==
  /\ rows = {[n |-> 0, owner |-> 0, taken |-> TRUE, released |-> TRUE]}
  /\ parkedWith = [n |-> 0, owner |-> 0] /\ leaseLeft = 0
  /\ statement = [r \in Relays |-> Nothing] /\ life = [r \in Relays |-> "standby"]
  /\ watched = [r \in Relays |-> None] /\ watchLeft = [r \in Relays |-> 0]
  /\ newest = [r \in Relays |-> None]
  /\ deadline = [r \in Relays |-> 0] /\ asked = [r \in Relays |-> 0]
  /\ loaded = [r \in Relays |-> NotLoaded]

(***************************************************************************)
(* Standing by: it looks at the newest row, and asks for the lease where   *)
(* it was given back, or was its own before, or has lapsed and it has seen *)
(* the row unchanged for a whole lease by its own clock; or for two        *)
(* leases, whatever the database's clock says. Before it asks it loads the *)
(* parked rows, which may take longer than a lease: its deadline counts    *)
(* from when it has.                                                       *)
(***************************************************************************)
LoadsEarly == Mutation = "loadsBeforeItLooks"

Look(r) ==
  /\ life[r] = "standby" /\ statement[r] = Nothing
  /\ r \in Restarted => life[Former(r)] = "gone"
  /\ LoadsEarly => loaded[r] # NotLoaded
  /\ LET row == Newest(rows)
         watches == \/ watched[r] = row.n /\ Mutation # "watchesAnewAtEachLook"
                    \/ Mutation = "watchNotRestarted" /\ watched[r] # None
         lapsed == leaseLeft = 0 \/ Clock = "anything"
         unchanged == IF watches THEN 2 * Lease - watchLeft[r] ELSE 0
         outlasted == \/ lapsed /\ (unchanged >= Lease \/ Mutation = "databaseClockAlone")
                      \/ unchanged >= 2 * Lease /\ Mutation # "databaseClockAwaited"
     IN IF row.released \/ row.owner = Former(r) \/ outlasted
        THEN /\ statement' = Set(statement, r,
                  [does |-> "take", at |-> IF LoadsEarly THEN "sent" ELSE "loading",
                   n |-> row.n, owner |-> row.owner])
             /\ asked' = IF LoadsEarly THEN Set(asked, r, Lease - Margin) ELSE asked
             /\ UNCHANGED standby
        ELSE /\ ~watches
             /\ watched' = Set(watched, r, row.n) /\ watchLeft' = Set(watchLeft, r, 2 * Lease)
             /\ UNCHANGED <<statement, asked>>
  /\ UNCHANGED <<database, life, newest, deadline, loaded>>

Load(r) ==
  /\ life[r] = "standby"
  /\ IF LoadsEarly
     THEN /\ statement[r] = Nothing
          /\ UNCHANGED <<statement, asked>>
     ELSE /\ statement[r].at = "loading"
          /\ statement' = [statement EXCEPT ![r].at = "sent"]
          /\ asked' = Set(asked, r, Lease - Margin)
  /\ loaded' = Set(loaded, r, parkedWith)
  /\ UNCHANGED <<database, life, standby, newest, deadline>>

(***************************************************************************)
(* Owning: it publishes whenever MayPublish. Its deadline counts from      *)
(* before it sent the statement that took or renewed the lease.            *)
(***************************************************************************)
MayPublish(r) ==
  /\ deadline[r] > 0
  /\ life[r] = "owner" \/ (Mutation = "publishesWhileLeaving" /\ life[r] = "leaving")

\* Each save brings changes of parked rows with it. One that leaves has nothing in flight, and
\* gives the lease back.
Save(r) ==
  /\ life[r] = "owner" /\ deadline[r] > 0 /\ statement[r] = Nothing /\ newest[r] < SavesTo
  /\ \E does \in {"save", "release"} :
       /\ statement' = Set(statement, r,
            [does |-> does, at |-> "sent", n |-> newest[r], owner |-> r])
       /\ life' = IF does = "release" THEN Set(life, r, "leaving") ELSE life
  /\ asked' = Set(asked, r, Lease - Margin)
  /\ UNCHANGED <<database, standby, newest, deadline, loaded>>

\* It dies, or its deadline passes, or it is in doubt: it forgets everything and closes its client.
\* A statement that it has sent goes on in the server.
Forget(r, became) ==
  /\ life' = Set(life, r, became)
  /\ watched' = Set(watched, r, None) /\ watchLeft' = Set(watchLeft, r, 0)
  /\ newest' = Set(newest, r, None)
  /\ deadline' = Set(deadline, r, 0) /\ asked' = Set(asked, r, 0)
  /\ loaded' = Set(loaded, r, NotLoaded)

Go(r) ==
  /\ life[r] # "gone" /\ Forget(r, "gone")
  /\ statement' = IF statement[r].at = "loading" THEN Set(statement, r, Nothing) ELSE statement
  /\ UNCHANGED database

(***************************************************************************)
(* The server executes a statement, and may hang before its snapshot and   *)
(* between that and its insert. (Insert and commit are one step: between   *)
(* them others that want the same number wait.)                            *)
(***************************************************************************)
\* The first half of the fence: the newest row is still the one that the statement follows on.
Snapshot(r) ==
  /\ statement[r].at = "sent"
  /\ LET now == Newest(rows)
         s == statement[r]
     IN IF Mutation = "noFence" /\ s.does # "take"
        THEN statement' = Set(statement, r, [s EXCEPT !.at = "inserting", !.n = now.n])
        ELSE statement' = [statement EXCEPT ![r].at =
                 IF s.n = now.n /\ s.owner = now.owner THEN "inserting" ELSE "fenced"]
  /\ UNCHANGED <<database, life, standby, owner>>

\* The second half: a duplicate key aborts the whole transaction. A take-over looks once more, for
\* a row of the former owner may have stood where its own stands now, and have been purged.
Insert(r) ==
  /\ statement[r].at = "inserting"
  /\ LET s == statement[r]
         row == [n |-> s.n + 1, owner |-> r, taken |-> s.does = "take",
                 released |-> s.does = "release"]
         duplicate == \E other \in rows : other.n = row.n
         behind == \E other \in rows : other.n > row.n
         tooLate == row.taken /\ behind /\ Mutation # "takeOverLooksOnce"
         inserted == ~duplicate /\ ~tooLate
         parks == ~row.taken /\ (inserted \/ Mutation = "onConflictDoNothing")
     IN /\ rows' = IF inserted THEN rows \union {row} ELSE rows
        /\ parkedWith' = IF parks THEN [n |-> row.n, owner |-> r] ELSE parkedWith
        /\ leaseLeft' = IF inserted /\ Clock # "anything" /\ ~row.released THEN Lease ELSE leaseLeft
        /\ statement' = IF life[r] = "gone" THEN Set(statement, r, Nothing)
                        ELSE [statement EXCEPT ![r].at = IF inserted THEN "saved" ELSE "fenced"]
  /\ UNCHANGED <<life, standby, owner>>

Reply(r) ==
  /\ statement[r].at \in {"fenced", "saved"}
  /\ LET s == statement[r]
         saved == s.at = "saved"
     IN IF (saved /\ s.does # "release") /\ life[r] # "gone"
        THEN /\ life' = Set(life, r, "owner") /\ newest' = Set(newest, r, s.n + 1)
             /\ deadline' = Set(deadline, r, IF Mutation = "deadlineFromTheReply"
                                             THEN Lease - Margin ELSE asked[r])
             /\ asked' = Set(asked, r, 0) /\ loaded' = Set(loaded, r, NotLoaded)
             /\ watched' = Set(watched, r, None) /\ watchLeft' = Set(watchLeft, r, 0)
        ELSE Forget(r, IF s.does = "take" /\ life[r] # "gone" THEN "standby" ELSE "gone")
  /\ statement' = Set(statement, r, Nothing)
  /\ UNCHANGED database

\* Old rows are purged. The newest two stay, and those of take-overs: a statement that hung after
\* its snapshot still meets the number it wants.
Purge ==
  /\ rows' = {row \in rows : \/ row.n >= Newest(rows).n - 1
                             \/ row.taken /\ Mutation # "purgesTakeOvers"}
  /\ UNCHANGED <<parkedWith, leaseLeft, statement, life, standby, owner>>

\* Monotonic clocks run alike; where they start means nothing.
Tick ==
  LET less(f) == [r \in Relays |-> IF f[r] > 0 THEN f[r] - 1 ELSE 0]
  IN /\ watchLeft' = less(watchLeft) /\ deadline' = less(deadline) /\ asked' = less(asked)
     /\ leaseLeft' = IF leaseLeft > 0 /\ Clock = "runs" THEN leaseLeft - 1 ELSE leaseLeft
     /\ UNCHANGED <<rows, parkedWith, statement, life, watched, newest, loaded>>

OfServer(r) == Snapshot(r) \/ Insert(r)
Next == \/ \E r \in Relays : Look(r) \/ Load(r) \/ Save(r) \/ Go(r) \/ OfServer(r) \/ Reply(r)
        \/ Purge \/ Tick
Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* What is promised.                                                       *)
(***************************************************************************)
\* A row comes only from who follows on the newest one, and parked rows change only with it.
P6_FormerOwnerChangesNothing ==
  [][LET now == Newest(rows)
         added == rows' \ rows
     IN /\ \A row \in added : row.n = now.n + 1 /\ (row.taken \/ row.owner = now.owner)
        /\ parkedWith' # parkedWith =>
             \E row \in added : [n |-> row.n, owner |-> row.owner] = parkedWith']_vars

\* What a successor goes on from is what is there, though it loaded before it had the lease.
P6_SuccessorKnowsWhatIsParked ==
  [][\A r \in Relays :
       (statement[r].at = "inserting" /\ statement[r].does = "take" /\ statement'[r].at = "saved")
         => loaded[r] = parkedWith]_vars

\* So nobody publishes once another has taken the lease.
P6_OnlyTheOwnerPublishes == \A r \in Relays : MayPublish(r) => Newest(rows).owner = r

(***************************************************************************)
(* Liveness: the last relay does not die by itself, and the server         *)
(* executes what it was sent. Then it does not stand by for ever while     *)
(* nobody owns the cursor, even where the database's clock stands still.   *)
(***************************************************************************)
Last == CHOOSE r \in Relays : \A s \in Relays : s <= r
Owned == \E r \in Relays : life[r] \in {"owner", "leaving"} /\ Newest(rows).owner = r
FairSpec ==
  /\ Spec /\ WF_vars(Tick) /\ WF_vars(Look(Last)) /\ WF_vars(Load(Last)) /\ WF_vars(Reply(Last))
  /\ \A r \in Relays : WF_vars(OfServer(r))
P7_TakeOver == ~Owned ~> (Owned \/ life[Last] # "standby")

(***************************************************************************)
(* What must be reachable: each of these must be violated.                 *)
(***************************************************************************)
Never_TakenFromOneThatHangs ==
  ~(\E r, s \in Relays : life[r] = "owner" /\ MayPublish(s) /\ Newest(rows).owner = s /\ r # s)
Never_TakenAfterRelease ==
  ~(\E row \in rows : row.released /\ row.n > 0 /\ Newest(rows).n > row.n)
Never_TakenByItsNextStart == ~(\E r \in Restarted : MayPublish(r) /\ newest[r] = 2)
Never_FencedByTheNewestRow ==
  ~(\E r \in Relays : statement[r].at = "sent" /\ statement[r].does = "save"
      /\ Newest(rows).n > statement[r].n)
Never_FencedByTheKey ==
  ~(\E r \in Relays : statement[r].at = "inserting" /\ statement[r].does = "save"
      /\ \E row \in rows : row.n = statement[r].n + 1)
\* The former owner parks something while its successor has loaded and asks.
Never_LoadedTooEarly ==
  ~(\E r \in Relays : statement[r].does = "take" /\ statement[r].at = "fenced"
      /\ loaded[r] # parkedWith)
Never_RowPurged == ~(Cardinality(rows) < Newest(rows).n + 1)
=============================================================================
