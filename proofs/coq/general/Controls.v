(** * Controls: what the check proves and refutes of games that everyone can play

    One heap: take one or two counters; who takes the last one wins. X wins from 4, and not from 3. A ring of four places:
    X goes one or two places on, O stays or goes back one; play has no end. *)

From Coq Require Import List ZArith.
From General Require Import Game Claim Check Sound Board.
Import ListNotations.

(** What formulas say where cells are 2 and 0, O is to move after five moves and is stuck, and X has won. *)
Theorem what_formulas_say :
  let says := true_in (View (Position [2; 0]%Z PlayerO) 5 true (Won PlayerX)) in
  map says [On 0; Stuck; Over; Wins PlayerX; Lt (Cell 1) (Cell 0); Le (Cell 0) Turn; Gt Ply (Cell 0); Ge Turn (Num 2)]
    = repeat true 8 /\
  map says [On 1; Wins PlayerO; Lt Turn (Num 2); Le Ply (Num 4); Gt Turn (Num 2); Ge (Num 1) Turn] = repeat false 6.
Proof. now split. Qed.

(** A move swaps two cells, makes the second one more, and X is next. Of the outcomes the first counts; then no move is left. *)
Definition swap : rules := Rules [(0, 3); (0, 3)]%Z
  [for_both (Action (Lt (Cell 0) (Num 3)) [(0, Cell 1); (1, Add [Cell 0; Num 1])] (Some (Num 1)))]
  [(Eq (Cell 1) (Num 3), WonByNext); (Ge (Cell 1) (Num 2), Draw)].

Theorem moves_and_ends :
  legal swap (Position [0; 1]%Z PlayerO) = [(0, Position [1; 1]%Z PlayerX)] /\
  map (fun n => outcome_of swap (Position [0; n]%Z PlayerO)) [1; 2; 3]%Z = [Going; Drawn; Won PlayerO] /\
  legal swap (Position [0; 2]%Z PlayerX) = [].
Proof. now repeat split. Qed.

Definition heap : rules := Rules [(0, 9)%Z]
  (map (fun n => for_both (Action (Const true) [(0, Sub (Cell 0) (Num n))] None)) [1; 2]%Z) [(Stuck, WonByPrevious)].

Definition from (n : Z) (claimant : player) (chooses : bool) : setting :=
  Setting (Position [n] PlayerX) 0 None None None claimant chooses.

Definition wins_from (n : Z) : claim := Claim (from n PlayerX true) [Reach (Wins PlayerX) (Some 9)].

(** A table: after so many moves, with this value of the cell, this player makes this move. *)
Definition by_table (counted : bool) (rows : list (nat * Z * player * nat)) : evidence :=
  ByTable counted (map (fun '(n, value, who, m) => (key_of n (Position [value] who), m)) rows).

(** A game that is won: X takes one, and leaves O three. *)
Theorem won : holds heap (wins_from 4).
Proof. apply (check_sound _ _ [by_table true [(0, 4%Z, PlayerX, 0); (2, 2%Z, PlayerX, 1); (2, 1%Z, PlayerX, 0)]]). reflexivity. Qed.

(** One that is not: from three, O wins. *)
Theorem not_won : ~ holds heap (wins_from 3).
Proof.
  apply opponent_claim_refutes; [easy | easy |].
  apply (check_sound _ _ [by_table true [(1, 2%Z, PlayerO, 1); (1, 1%Z, PlayerO, 0)]]). reflexivity.
Qed.

(** One whose statement is vacuous: from an empty heap nobody moves, so whatever is claimed of X's turns holds. *)
Theorem vacuous : holds heap (Claim (from 0 PlayerX true) [Keep [OfClaimant] (Const false)]).
Proof. apply (check_sound _ _ [ByTable true []]). reflexivity. Qed.

(** No play from 3 takes four moves, and some play takes three. *)
Theorem plays_are_short : holds heap (Claim (from 3 PlayerX false)
  [Keep [Every] (Le Ply (Num 3)); Possibly [AtEnd] (Eq Ply (Num 3)); Reach Over None]).
Proof. apply (check_sound _ _ [ByTable true []; ByLine [0; 0; 0]; ByTable false []]). reflexivity. Qed.

(** Strategies: X leaves three, then takes two if he can. O takes one, or two, as he likes. X wins with his second move, and
    not sooner. After two moves nothing has ended. *)
Definition sure (f : formula) (m : nat) : instance := Instance f [[(Const true, m)]].
Definition leave_three : strategy :=
  [[sure (Eq (Cell 0) (Num 4)) 0]; [Instance (Const true) [[(Ge (Cell 0) (Num 2), 1)]; [(Const true, 0)]]]].
Definition one_or_two : strategy := [[sure (Const true) 0; sure (Ge (Cell 0) (Num 2)) 1]].
Definition led (last : option nat) : setting :=
  Setting (Position [4%Z] PlayerX) 0 last (Some leave_three) (Some one_or_two) PlayerX false.

Theorem led_to_a_win : holds heap (Claim (led None)
  [Reach (Wins PlayerX) (Some 3); Keep [OfOpponent] (Eq (Cell 0) (Num 3)); Keep [AtStart] (Eq (Cell 0) (Num 4));
   Possibly [OfClaimant] (Eq (Cell 0) (Num 1)); Possibly [OfClaimant] (Eq (Cell 0) (Num 2))]).
Proof.
  apply (check_sound _ _ [ByTable true []; ByTable true []; ByTable true []; ByLine [0; 1]; ByLine [0; 0]]). reflexivity.
Qed.

Theorem not_sooner : ~ holds heap (Claim (led None) [Reach (Wins PlayerX) (Some 2)]).
Proof. apply (refute_sound _ _ (ByLine [0; 1])). reflexivity. Qed.

Theorem to_the_horizon : holds heap (Claim (led (Some 2)) [Keep [Every] (Le Ply (Num 2)); Keep [AtEnd] (Const false)]).
Proof. apply (check_sound _ _ [ByTable true []; ByTable true []]). reflexivity. Qed.

(** The ring: X goes one place on, or two if he is at 0 or 1; O stays, or goes back one place. *)
Definition step : term := If (Ge (Cell 0) (Num 3)) (Num 0) (Add [Cell 0; Num 1]).
Definition back : term := If (On 0) (Sub (Cell 0) (Num 1)) (Num 0).

Definition ring : rules := Rules [(0, 3)%Z]
  [Move (Some (Action (Const true) [(0, step)] None)) (Some (Action (Const true) [] None));
   Move (Some (Action (Lt (Cell 0) (Num 2)) [(0, Add [Cell 0; Num 2])] None)) (Some (Action (Const true) [(0, back)] None))]
  [].

Definition at_three : formula := Eq (Cell 0) (Num 3).

(** Without a bound: play comes to 3. From 0 he goes to 2, then from 1 or 2 to 3. *)
Theorem eventually : holds ring (Claim (from 0 PlayerX true) [Reach at_three None]).
Proof. apply (check_sound _ _ [by_table false [(0, 0%Z, PlayerX, 1); (0, 1%Z, PlayerX, 1); (0, 2%Z, PlayerX, 0)]]). reflexivity. Qed.

(** Play may come back to its first position; this is not the start again, since two moves were made. *)
Theorem not_the_start_again : holds ring (Claim
  (Setting (Position [0%Z] PlayerX) 0 (Some 2) None None PlayerX false) [Keep [AtStart] (Eq Ply (Num 0))]).
Proof. apply (check_sound _ _ [ByTable true []]). reflexivity. Qed.

(** The same ring, but X goes one place on, and O always goes back: play never comes to 3, and so X cannot reach it. *)
Definition slowly : rules :=
  Rules [(0, 3)%Z] [Move (Some (Action (Const true) [(0, step)] None)) None; Move None (Some (Action (Const true) [(0, back)] None))] [].

Theorem never : holds slowly (Claim (from 0 PlayerO true) [Prevent at_three None]).
Proof. apply (check_sound _ _ [by_table false [(0, 1%Z, PlayerO, 1)]]). reflexivity. Qed.

Theorem not_eventually : ~ holds slowly (Claim (from 0 PlayerX true) [Reach at_three None]).
Proof.
  apply opponent_claim_refutes; [easy | easy |]. apply (check_sound _ _ [by_table false [(0, 1%Z, PlayerO, 1)]]). reflexivity.
Qed.

(** A board of three spots in a row. X wins by crosses on two spots side by side and not on the third. The last spot is
    allowed only if a cross there makes a line. Otherwise the game is drawn after two marks. *)
Definition cross : kind := On.
Definition nought : kind := fun s => On (3 + s).
Definition sides : list line := [([0; 1], [2]); ([1; 2], [0])].
Definition strip : rules := board_rules [cross; nought] 3 [Const true; Const true; makes_line cross sides 2]
  [(has_line cross sides, WonBy PlayerX); (Eq (number_of_marks [cross; nought] 3) (Num 2), Draw)].

Theorem marks_and_lines : let at_ marks := Position marks PlayerO in
  map (fun marks => (map fst (legal strip (at_ marks)), outcome_of strip (at_ marks)))
    [[1; 0; 0; 0; 0; 0]; [0; 1; 0; 0; 0; 0]; [1; 1; 0; 0; 0; 0]; [1; 1; 1; 0; 0; 0]; [0; 1; 0; 1; 0; 0]]%Z
    = [([1], Going); ([0; 2], Going); ([], Won PlayerX); ([], Drawn); ([], Drawn)] /\
  map snd (legal strip (at_ [1; 0; 0; 0; 0; 0]%Z)) = [Position [1; 0; 0; 0; 1; 0]%Z PlayerX].
Proof. now split. Qed.
