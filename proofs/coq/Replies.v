(** * A table of Olivia's replies, and why it is believed

    From a list of races, given by summaries, the table names a reply for each, level by level: [step] plays it, makes
    every move of Xavier that is in time, forgets what does not matter, and keeps each race that this leads to once; the
    table of the next level is about these, in this order. Where the table ends, [holds] tries everything. Nothing in
    the table is believed: a reply that is illegal or too weak leaves a race that does not hold.

    Plan: races as they are searched ([node]); his moves in time and her replies; [holds], sound; [step] and [check],
    sound ([check_sound]); the races that first moves lead to ([summary_after]). *)

From Coq Require Import List Bool Arith Lia Uint63 PArray ZArith Ring63.
Import ListNotations.
From U3T Require Import Rules Symmetry Race Fields Needs Coarse.

Local Open Scope uint63_scope.
Local Open Scope array_scope.

(** ** Tests of lists that stop as soon as they can *)

Definition some_of {A} (test : A -> bool) : list A -> bool :=
  fix some l := match l with [] => false | a :: l => if test a then true else some l end.

Definition all_of {A} (test : A -> bool) : list A -> bool :=
  fix all l := match l with [] => true | a :: l => if test a then all l else false end.

Lemma some_of_spec {A} : forall (test : A -> bool) l, some_of test l = true -> exists a, In a l /\ test a = true.
Proof.
  intros test l. induction l as [|a l IH]; [easy|]. simpl. destruct (test a) eqn:T; intro S; [exists a; tauto|].
  destruct (IH S) as (b & I & B). exists b; tauto.
Qed.

Lemma all_of_spec {A} : forall (test : A -> bool) l, all_of test l = true -> forall a, In a l -> test a = true.
Proof.
  intros test l. induction l as [|b l IH]; [easy|]. simpl. destruct (test b) eqn:T; [|easy].
  intros All a [<-|I]; auto.
Qed.

(** A fold that only ever adds to a list. *)
Lemma fold_keeps {A B} : forall (f : list B -> A -> list B) l acc x,
  (forall acc a, In x acc -> In x (f acc a)) -> In x acc -> In x (fold_left f l acc).
Proof. intros f l. induction l as [|a l IH]; simpl; auto. Qed.

Lemma fold_adds {A B} : forall (f : list B -> A -> list B) l acc x a,
  (forall acc a, In x acc -> In x (f acc a)) -> In a l -> (forall acc, In x (f acc a)) -> In x (fold_left f l acc).
Proof.
  intros f l. induction l as [|b l IH]; intros acc x a K I Adds; [easy|]. simpl.
  destruct I as [->|I]; [now apply fold_keeps|]. now apply (IH _ x a).
Qed.

(** ** Races as they are searched: a summary, and the place of its needs in the table of totals *)

Record node := Node { sheet : summary; at_ : int }.

Definition weight (f : square) : int :=
  match f with
  | S0 => 1 | S1 => 5 | S2 => 25 | S3 => 125 | S4 => 625 | S5 => 3125 | S6 => 15625 | S7 => 78125 | S8 => 390625
  end.

Section Tables.
  Variable rows : array row.
  Variable totals : array int.

  Definition node_of (q : summary) : node := Node q (index_of (need_of rows q)).

  Definition entry_at (n : node) : int := totals.[at_ n].

  (** Field [f] becomes [x] by a mark on spot [s]. *)
  Definition move (n : node) (f s : square) (x : int) : node :=
    Node (played rows (sheet n) f s x) (at_ n + (need rows.[x] - need_of rows (sheet n) f) * weight f).

  Definition fields_of (q : summary) : list square := match goes q with Some f => [f] | None => squares end.

  (** The races after his marks that are in time, he has [m] left. *)
  Definition successors (m : int) (n : node) : list node :=
    let q := sheet n in
    let e := entry_at n in
    let is_idle := least e <? m in
    fold_left (fun found f =>
      let beside := others e f in
      fold_left (fun found o =>
        if (if is_idle then true else need rows.[his o] + beside <? m)
        then move n f (spot o) (his o) :: found
        else found)
        (free_spots (row_of rows q f)) found)
      (fields_of q) [].

  (** *** The order in which her replies are tried: only hints, that nothing depends on

      The best reply leaves him too late at once ([is_late]); next come those with little time to lose for him, and few
      moves in time. *)
  Definition is_late (m : int) (n : node) : bool :=
    let e := entry_at n in
    match goes (sheet n) with
    | None => m <? least e
    | Some f => if least e <? m then false else m <? need_of rows (sheet n) f + others e f
    end.

  Definition freedom (m : int) (n : node) : int :=
    let slack := m - least (entry_at n) in
    match goes (sheet n) with
    | None => 1000 * slack + 1200
    | Some f => if slack =? 0 then 10 * useful (row_of rows (sheet n) f)
                else 1000 * slack + 10 * width (row_of rows (sheet n) f)
    end.

  Fixpoint insert (key : int) (n : node) (l : list (int * node)) : list (int * node) :=
    match l with
    | [] => [(key, n)]
    | h :: t => if key <=? fst h then (key, n) :: l else h :: insert key n t
    end.

  (** Her replies in field [f], then those that follow. *)
  Fixpoint replies_in (m : int) (n : node) (f : square) (spots : list option_) (sorted : list (int * node))
      (further : list (int * node) -> list (int * node)) : list (int * node) :=
    match spots with
    | [] => further sorted
    | o :: spots =>
      let reply := move n f (spot o) (hers o) in
      if is_late m reply then [(0, reply)] else replies_in m n f spots (insert (freedom m reply) reply sorted) further
    end.

  Fixpoint replies (m : int) (n : node) (fields : list square) (sorted : list (int * node)) : list (int * node) :=
    match fields with
    | [] => sorted
    | f :: fields => replies_in m n f (free_spots (row_of rows (sheet n) f)) sorted (replies m n fields)
    end.

  (** ** Trying everything *)

  (** Olivia to move, he has [m] marks left, which is [i] as a word: she keeps him from winning. *)
  Fixpoint holds (m : nat) (i : int) (n : node) : bool :=
    let needed := least (entry_at n) in
    if i <? needed then true else
    if needed =? 0 then false else
    match m with
    | 0 => false
    | S m =>
      some_of (fun reply => all_of (holds m (i - 1)) (successors i (snd reply)))
        (replies i n (fields_of (sheet n)) [])
    end.

  (** ** Following a table *)

  (** Summaries that were met, by a hash, and in a list, the last one first. *)
  Record pile := Pile { seen : array (list summary); level : list summary }.

  Definition empty_pile : pile := Pile (make 65536 []) [].

  Definition hash (q : summary) : int :=
    let '(Summary a b c d e f g h i to) := q in
    let k := 1000003 in
    let sum := ((((((((a * k + b) * k + c) * k + d) * k + e) * k + f) * k + g) * k + h) * k + i) * k in
    ((sum >> 31) lxor sum) land 65535.

  Definition same_target (to to' : option square) : bool :=
    match to, to' with Some s, Some t => same s t | None, None => true | _, _ => false end.

  Definition is_same_summary (p q : summary) : bool :=
    let '(Summary a b c d e f g h i to) := p in
    let '(Summary a' b' c' d' e' f' g' h' i' to') := q in
    if a =? a' then if b =? b' then if c =? c' then if d =? d' then if e =? e' then
    if f =? f' then if g =? g' then if h =? h' then if i =? i' then same_target to to'
    else false else false else false else false else false else false else false else false else false.

  Definition add (p : pile) (q : summary) : pile :=
    let h := hash q in
    let bucket := (seen p).[h] in
    if some_of (is_same_summary q) bucket then p else Pile (seen p).[h <- q :: bucket] (q :: level p).

  (** Replies of eight bits, field and spot, seven or fewer a word, behind a leading 1. *)
  Definition square_of (i : int) : square :=
    if i =? 0 then S0 else if i =? 1 then S1 else if i =? 2 then S2 else
    if i =? 3 then S3 else if i =? 4 then S4 else if i =? 5 then S5 else
    if i =? 6 then S6 else if i =? 7 then S7 else S8.

  Definition next_reply (words : list int) : option (square * square * list int) :=
    match words with
    | [] => None
    | w :: words =>
      let rest := w >> 8 in
      Some (square_of ((w >> 4) land 15), square_of (w land 15), if rest <=? 1 then words else rest :: words)
    end.

  Definition may_reply (q : summary) (f : square) : bool :=
    match goes q with Some g => same g f | None => true end.

  (** Her reply on spot [s] of field [f], if it is legal. *)
  Definition reply (n : node) (f s : square) : option node :=
    if may_reply (sheet n) f then
      match find (fun o => same s (spot o)) (free_spots (row_of rows (sheet n) f)) with
      | Some o => Some (move n f (spot o) (hers o))
      | None => None
      end
    else None.

  Fixpoint step (m : int) (l : list summary) (words : list int) (p : pile) : option pile :=
    match l with
    | [] => Some p
    | q :: l =>
      let n := node_of q in
      if least (entry_at n) =? 0 then None else
      match next_reply words with
      | Some (f, s, words) =>
        match reply n f s with
        | Some n' =>
          step m l words (fold_left (fun p n => add p (coarse rows totals (m - 1) (sheet n))) (successors m n') p)
        | None => None
        end
      | None => None
      end
    end.

  (** She holds every race of a list. *)
  Fixpoint check (m : nat) (i : int) (l : list summary) (table : list (list int)) : bool :=
    match table with
    | [] => all_of (fun q => holds m i (node_of q)) l
    | words :: table =>
      match m with
      | 0 => false
      | S m =>
        match step i l words empty_pile with
        | Some p => check m (i - 1) (level p) table
        | None => false
        end
      end
    end.

  (** The race after a mark on spot [s] of field [f], and after moves of both from the beginning on. *)
  Definition blank : summary := Summary 0 0 0 0 0 0 0 0 0 None.

  Definition marked (who : player) (q : summary) (f s : square) : summary :=
    match find (fun o => same s (spot o)) (free_spots (row_of rows q f)) with
    | Some o => played rows q f (spot o) (match who with Xavier => his o | Olivia => hers o end)
    | None => q
    end.

  Fixpoint summary_after (who : player) (q : summary) (moves : list (square * square)) : summary :=
    match moves with
    | [] => q
    | (f, s) :: moves => summary_after (other who) (marked who q f s) moves
    end.
End Tables.

(** ** Soundness *)

Section Sound.
  Variable rows : array row.
  Variable totals : array int.
  Hypothesis rows_right : are_right rows = true.
  Hypothesis right_totals : totals_right totals = true.

  Definition in_place (n : node) : Prop := at_ n = index_of (need_of rows (sheet n)).

  Lemma move_in_place : forall n f s x, in_place n -> in_place (move rows n f s x).
  Proof.
    intros [q i] f s x E. unfold in_place in *. cbn [move sheet at_] in *. rewrite E. clear E.
    assert (N : forall g, need_of rows (played rows q f s x) g = if same f g then need rows.[x] else need_of rows q g).
    { intro g. unfold need_of, row_of, played. rewrite get_change. now destruct (same f g). }
    unfold index_of. rewrite !N. generalize (need rows.[x]) as new. generalize (need_of rows q) as old. intros old new.
    destruct f; cbn [same weight]; ring.
  Qed.

  Lemma entry_in_place : forall n, in_place n -> entry_at totals n = entry_of rows totals (sheet n).
  Proof. intros n E. unfold entry_at, entry_of. now rewrite E. Qed.

  (** *** Words as numbers of marks *)

  Lemma ltb_nat : forall i j, (i <? j) = true <-> (to_nat i < to_nat j)%nat.
  Proof. intros i j. rewrite ltb_spec. pose proof (to_nat_spec i). pose proof (to_nat_spec j). lia. Qed.

  Lemma add_nat : forall i j, (to_nat (i + j) <= to_nat i + to_nat j)%nat.
  Proof.
    intros i j. pose proof (to_nat_spec (i + j)) as E. rewrite add_spec in E.
    pose proof (to_nat_spec i). pose proof (to_nat_spec j). pose proof (to_Z_bounded i). pose proof (to_Z_bounded j).
    pose proof (Z.mod_le (to_Z i + to_Z j) wB ltac:(lia) ltac:(easy)). lia.
  Qed.

  Lemma one_mark_less : forall m i, to_nat i = S m -> to_nat (i - 1) = m.
  Proof.
    intros m i E. pose proof (to_nat_spec i). pose proof (to_nat_spec (i - 1)) as E'. rewrite sub_spec in E'.
    pose proof (to_Z_bounded i). change (to_Z 1) with 1%Z in E'. rewrite Z.mod_small in E' by lia. lia.
  Qed.

  (** *** His moves, and hers *)

  Lemma field_allowed : forall q f, In f (fields_of q) <-> goes q = None \/ goes q = Some f.
  Proof.
    intros q f. unfold fields_of. destruct (goes q) as [g|]; simpl.
    - split; [intros [->|[]]; tauto | intros [?|E]; [easy|injection E; tauto]].
    - split; [tauto | intros _; apply in_squares].
  Qed.

  Lemma his_moves_are_followed : forall m i r n f s, to_nat i = S m -> covers (S m) r (sheet n) -> in_place n ->
    may r f s -> she_loses m (after Xavier r f s) ->
    exists n', In n' (successors rows totals i n) /\ covers m (after Xavier r f s) (sheet n') /\ in_place n'.
  Proof.
    intros m i r n f s M C P May L.
    destruct (may_be_played rows rows_right _ _ _ f s C May) as [G (o & I & <-)].
    exists (move rows n f (spot o) (his o)).
    split; [|split; [now apply (covers_his rows rows_right) | now apply move_in_place]].
    pose proof (in_time rows totals rows_right right_totals m r (sheet n) f o C I L) as T.
    rewrite <- (entry_in_place n P) in T. unfold successors.
    apply (fold_adds _ _ _ _ f); [| now apply field_allowed |].
    - intros acc g J. apply fold_keeps; [|exact J]. intros acc' o' J'.
      match goal with |- In _ (if ?b then _ else _) => destruct b end; [now right|exact J'].
    - intro acc. apply (fold_adds _ _ _ _ o); [| exact I |].
      + intros acc' o' J'. match goal with |- In _ (if ?b then _ else _) => destruct b end; [now right|exact J'].
      + intro acc'. destruct (least (entry_at totals n) <? i) eqn:Idle; [now left|].
        destruct (need rows.[his o] + others (entry_at totals n) f <? i) eqn:Busy; [now left|]. exfalso.
        rewrite <- not_true_iff_false, ltb_nat in Idle, Busy.
        pose proof (add_nat (need rows.[his o]) (others (entry_at totals n) f)). lia.
  Qed.

  Definition a_reply (n n' : node) : Prop := exists f o,
    (goes (sheet n) = None \/ goes (sheet n) = Some f) /\ In o (free_spots (row_of rows (sheet n) f)) /\
    n' = move rows n f (spot o) (hers o).

  Lemma in_insert : forall key n l x, In x (insert key n l) -> x = (key, n) \/ In x l.
  Proof.
    intros key n l x. induction l as [|h t IH]; simpl; [intuition|].
    destruct (key <=? fst h); simpl; intuition.
  Qed.

  Lemma replies_are_replies : forall m n fields sorted x, incl fields (fields_of (sheet n)) ->
    In x (replies rows totals m n fields sorted) -> a_reply n (snd x) \/ In x sorted.
  Proof.
    intros m n fields. induction fields as [|f fields IH]; intros sorted x Fields; simpl; [tauto|].
    assert (F : In f (fields_of (sheet n))) by (apply Fields; now left). apply field_allowed in F.
    set (all := free_spots (row_of rows (sheet n) f)).
    assert (Spots : incl all all) by apply incl_refl.
    revert Spots sorted. generalize all at 1 3 as spots.
    induction spots as [|o spots IHs]; intros Spots sorted; cbn [replies_in].
    - apply IH. intros g G. apply Fields. now right.
    - assert (R : a_reply n (move rows n f (spot o) (hers o))).
      { exists f, o. repeat split; [exact F|]. apply Spots. now left. }
      cbv zeta. destruct (is_late rows totals m _); [intros [<-|[]]; now left|].
      intro I. apply IHs in I as [I|I]; [now left| |intros o' J; apply Spots; now right].
      apply in_insert in I as [->|I]; [now left|now right].
  Qed.

  (** She holds a race that he has not won if she has a reply after which she holds all that he can reach in time. *)
  Lemma held_by_a_reply : forall m i r n n', to_nat i = S m -> covers (S m) r (sheet n) -> in_place n ->
    (least (entry_at totals n) =? 0) = false -> a_reply n n' ->
    (forall n'' r', In n'' (successors rows totals i n') -> in_place n'' -> covers m r' (sheet n'') ->
      ~ she_loses m r') ->
    ~ she_loses (S m) r.
  Proof.
    intros m i r n n' M C P Open (f & o & G & I & ->) Held [W|[_ L]].
    - pose proof (won_needs_nothing rows totals rows_right right_totals _ r _ C W) as Z.
      rewrite <- (entry_in_place n P) in Z. pose proof (to_nat_spec (least (entry_at totals n))) as E. rewrite Z in E.
      apply eqb_false_correct in Open. apply Open, to_Z_inj. now rewrite <- E.
    - destruct (L f (spot o) (played_may rows rows_right _ _ _ _ _ C G I)) as (g & t & May & L').
      destruct (his_moves_are_followed m i _ (move rows n f (spot o) (hers o)) g t M
                  (covers_hers rows rows_right _ _ _ _ _ C I) (move_in_place _ _ _ _ P) May L') as (n'' & J & C' & P').
      now apply (Held n'' _ J P' C').
  Qed.

  Theorem holds_sound : forall m i n r, to_nat i = m -> covers m r (sheet n) -> in_place n ->
    holds rows totals m i n = true -> ~ she_loses m r.
  Proof.
    assert (InTime : forall m i n r, to_nat i = m -> covers m r (sheet n) -> in_place n -> she_loses m r ->
                     (i <? least (entry_at totals n)) = false).
    { intros m i n r M C P L. apply not_true_iff_false. rewrite ltb_nat, M, (entry_in_place n P).
      pose proof (lost_needs_least rows totals rows_right right_totals m r _ C L). lia. }
    induction m as [|m IH]; intros i n r M C P H L; pose proof (InTime _ i n r M C P L) as T;
      cbn [holds] in H; cbv zeta in H; rewrite T in H; destruct (least (entry_at totals n) =? 0) eqn:Open; try easy.
    apply some_of_spec in H as (reply & I & H).
    assert (R : a_reply n (snd reply)) by (apply replies_are_replies in I as [R|[]]; [exact R | apply incl_refl]).
    apply (held_by_a_reply m i r n _ M C P Open R); [|exact L].
    intros n'' r' J P' C'. apply (IH (i - 1) n'' r' (one_mark_less m i M) C' P'). exact (all_of_spec _ _ H n'' J).
  Qed.

  (** *** The pile *)

  Definition pile_is_right (p : pile) : Prop := forall h q, In q (seen p).[h] -> In q (level p).

  Lemma empty_pile_is_right : pile_is_right empty_pile.
  Proof. intros h q I. unfold empty_pile in I; cbn [seen] in I. now rewrite get_make in I. Qed.

  Lemma get_set : forall (t : array (list summary)) i j a, t.[i <- a].[j] = a \/ t.[i <- a].[j] = t.[j].
  Proof.
    intros t i j a. destruct (Uint63.eqb i j) eqn:E.
    - apply Uint63.eqb_spec in E as ->. destruct (j <? length t) eqn:L.
      + left. now apply get_set_same.
      + right. rewrite (get_out_of_bounds _ t j L), (get_out_of_bounds _ _ j); [apply default_set|].
        now rewrite length_set.
    - right. apply get_set_other. now apply eqb_false_correct in E.
  Qed.

  Lemma same_summary_is_same : forall p q, is_same_summary p q = true -> p = q.
  Proof.
    intros [a b c d e f g h i to] [a' b' c' d' e' f' g' h' i' to'] S. cbn [is_same_summary] in S.
    repeat match type of S with (if Uint63.eqb ?x ?y then _ else _) = true =>
      destruct (Uint63.eqb x y) eqn:?E; [|easy] end.
    repeat match goal with E : Uint63.eqb _ _ = true |- _ => apply Uint63.eqb_spec in E end. subst.
    destruct to as [s|], to' as [s'|]; try easy. simpl in S. now destruct (same_spec s s') as [->|].
  Qed.

  Lemma add_adds : forall p q, pile_is_right p ->
    pile_is_right (add p q) /\ In q (level (add p q)) /\ incl (level p) (level (add p q)).
  Proof.
    intros p q R. unfold add. destruct (some_of _ _) eqn:S.
    - apply some_of_spec in S as (q' & I & S). apply same_summary_is_same in S as <-.
      repeat split; [exact R | exact (R _ _ I) | apply incl_refl].
    - cbn [level]. repeat split; [|now left | now apply incl_tl, incl_refl].
      intros h q' I. cbn [seen level] in *. destruct (get_set (seen p) (hash q) h (q :: (seen p).[hash q])) as [E|E];
        rewrite E in I; [destruct I as [<-|I]; [now left|]|]; right; exact (R _ _ I).
  Qed.

  Lemma fold_add : forall (c : node -> summary) l p, pile_is_right p ->
    let p' := fold_left (fun p n => add p (c n)) l p in
    pile_is_right p' /\ incl (level p) (level p') /\ forall n, In n l -> In (c n) (level p').
  Proof.
    intros c l. induction l as [|n l IH]; intros p R; simpl; [repeat split; [exact R | apply incl_refl | easy]|].
    destruct (add_adds p (c n) R) as (R' & I & K). destruct (IH _ R') as (R'' & K' & I').
    repeat split; [exact R'' | eapply incl_tran; eauto |]. intros n' [<-|J]; auto.
  Qed.

  (** *** Following the table *)

  Lemma reply_is_a_reply : forall n f s n', reply rows n f s = Some n' -> a_reply n n'.
  Proof.
    intros n f s n' E. unfold reply in E. destruct (may_reply (sheet n) f) eqn:May; [|easy].
    destruct (find _ _) as [o|] eqn:F; [|easy]. injection E as <-. apply find_some in F as [I _].
    exists f, o. repeat split; [|exact I]. unfold may_reply in May. destruct (goes (sheet n)) as [g|]; [right|now left].
    destruct (same_spec g f); [now subst | easy].
  Qed.

  Lemma step_follows : forall m l words p p', pile_is_right p -> step rows totals m l words p = Some p' ->
    pile_is_right p' /\ incl (level p) (level p') /\
    forall q, In q l -> (least (entry_at totals (node_of rows q)) =? 0) = false /\
      exists n', a_reply (node_of rows q) n' /\
        forall n'', In n'' (successors rows totals m n') -> In (coarse rows totals (m - 1) (sheet n'')) (level p').
  Proof.
    intros m l. induction l as [|q l IH]; intros words p p' R S; cbn [step] in S; cbv zeta in S.
    - injection S as <-. repeat split; [exact R | apply incl_refl | easy | easy].
    - destruct (least (entry_at totals (node_of rows q)) =? 0) eqn:Open; [easy|].
      destruct (next_reply words) as [[[f s] words']|]; [|easy].
      destruct (reply rows (node_of rows q) f s) as [n'|] eqn:E; [|easy].
      destruct (fold_add (fun n => coarse rows totals (m - 1) (sheet n)) (successors rows totals m n') p R)
        as (R' & K & F).
      destruct (IH _ _ _ R' S) as (R'' & K' & F'). split; [exact R''|]. split; [eapply incl_tran; eauto|].
      intros q' [<-|I]; [|now apply F']. split; [exact Open|]. exists n'. split; [now apply reply_is_a_reply in E|].
      intros n'' J. now apply K', F.
  Qed.

  Theorem check_sound : forall m i l table, to_nat i = m -> check rows totals m i l table = true ->
    forall q r, In q l -> covers m r q -> ~ she_loses m r.
  Proof.
    assert (Ends : forall m i l, to_nat i = m -> all_of (fun q => holds rows totals m i (node_of rows q)) l = true ->
                   forall q r, In q l -> covers m r q -> ~ she_loses m r).
    { intros m i l M H q r I C. apply (holds_sound m i (node_of rows q) r M C); [easy|].
      exact (all_of_spec _ _ H q I). }
    induction m as [|m IH]; intros i l table M H q r I C;
      (destruct table as [|words table]; [now apply (Ends _ i l M H q)|]); cbn [check] in H; [easy|].
    destruct (step rows totals i l words empty_pile) as [p|] eqn:S; [|easy].
    destruct (step_follows _ _ _ _ _ empty_pile_is_right S) as (_ & _ & F). destruct (F q I) as (Open & n' & R & Next).
    apply (held_by_a_reply m i r (node_of rows q) n' M C eq_refl Open R). intros n'' r' J P' C'.
    apply (IH (i - 1) (level p) table (one_mark_less m i M) H _ r' (Next n'' J)).
    apply (covers_coarse rows totals rows_right right_totals); [now apply one_mark_less | exact C'].
  Qed.

  (** *** First moves *)

  Definition empty_race : race := {| mark := fun _ _ => None; target := None |}.

  Lemma blank_covers : forall m, covers m empty_race blank.
  Proof.
    intro m. split; [easy | now intros [] | now intros [] [] |].
    intros w _ _ f _. now destruct f, (small w _).
  Qed.

  Lemma marked_covers : forall who m r q f s, covers (S m) r q -> may r f s ->
    covers m (after who r f s) (marked rows who q f s).
  Proof.
    intros who m r q f s C May. destruct (may_be_played rows rows_right _ _ _ f s C May) as [_ (o & I & E)].
    assert (C' : covers m r q) by (split; [apply C..|]; intros w A M; apply (open_plans _ _ _ C w A); lia).
    unfold marked. destruct (find _ _) as [o'|] eqn:F.
    - apply find_some in F as [I' E']. destruct (same_spec s (spot o')) as [->|]; [|easy].
      destruct who; [now apply (covers_his rows rows_right) | now apply (covers_hers rows rows_right)].
    - pose proof (find_none _ _ F o I) as N. subst s. now rewrite same_refl in N.
  Qed.
End Sound.
