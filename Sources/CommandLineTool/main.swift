print("squall")
